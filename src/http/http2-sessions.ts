import {
  constants,
  createServer,
  type Http2Session,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { http2Limits } from "../limits/http2.ts";
import type { Limits } from "../limits/limits.ts";
import { hangUpIn, lingerMs, type Raw, reset } from "./hang-up.ts";

export type Http2 = ReturnType<typeof openHttp2>;

/**
 * Serves HTTP/2, and frees the connections and streams of clients that are idle, slow or gone.
 *
 * @param longestMs how long a request may take to arrive, and a client to read the answer, in milliseconds
 */
export function openHttp2(longestMs: number, addresses: Pick<Limits<Raw>, "waste">) {
  const server = createServer(http2Limits);
  const sessions = new Map<ServerHttp2Session, Socket>();
  /** Sessions of which a stream was refused, and those that are about to end. */
  const marked = new WeakMap<Http2Session, "refusing" | "ending">();
  const isEnding = (session: Http2Session) => marked.get(session) === "ending";
  let hasAnnounced = false;
  // When a session ends, Node waits until the client has read everything, and a graceful one until it hangs up.
  const looking = setInterval(() => {
    for (const [session, socket] of sessions) {
      if (!session.destroyed) continue;
      sessions.delete(session);
      hangUpIn(lingerMs, socket);
    }
  }, 1_000).unref();

  function watch(session: ServerHttp2Session, socket: Socket): void {
    let open = 0;
    const { remoteAddress = "" } = socket;
    sessions.set(session, socket);
    socket.once("close", () => sessions.delete(session));
    session.on("stream", (stream) => {
      if (stream.closed) return void waste(session, remoteAddress);
      open += 1;
      stream.once("close", () => {
        open -= 1;
        // It is idle from now on. An answer that no one reads doesn't count as activity.
        if (!session.destroyed) session.setTimeout(longestMs);
      });
      limitTime(stream, longestMs);
      if (hasAnnounced && open === 1) announce(session, socket);
    });
    session.setTimeout(longestMs);
    session.on("timeout", () => {
      // Streams have time limits of their own.
      if (open > 0) return session.setTimeout(longestMs);
      session.close();
      // The headers of another stream may have begun, and the session would wait for the rest.
      return hangUpIn(lingerMs, socket);
    });
    // A client that has ended its connection reads no more answers.
    socket.once("end", () => session.destroy());
  }

  async function waste(session: Http2Session, address: string): Promise<void> {
    if (isEnding(session) || !(await addresses.waste(address, 1)) || isEnding(session)) return;
    const end = () => session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM);
    // Node may still be reading frames that came together. It crashes if it has reset one of their streams by then.
    if (marked.get(session) === "refusing") setImmediate(end);
    else end();
    marked.set(session, "ending");
  }

  return {
    server,

    /** Whether a session is about to end, so nothing more of it is served. */
    isEnding,

    /** Counts a stream that its client has cancelled, and ends the session of a client that does so too often. */
    waste,

    /** Serves a connection whose client speaks HTTP/2. */
    accept(socket: Socket): void {
      server.once("session", (session) => watch(session, socket));
      server.emit("connection", socket);
    },

    /** Resets a stream before it is served. It counts as wasted, because it costs as much to read as one that is served. */
    refuse(stream: ServerHttp2Stream, session: Http2Session, address: string): void {
      marked.set(session, "refusing");
      stream.close(constants.NGHTTP2_REFUSED_STREAM);
      void waste(session, address);
    },

    /** Asks all clients to open no more streams here. Streams they have opened meanwhile are still served. */
    announceEnd(): void {
      hasAnnounced = true;
      for (const [session, socket] of sessions) announce(session, socket);
    },

    /** Lets every session end after its last answer. */
    endSessions(): void {
      for (const session of sessions.keys()) if (!session.closed) session.close();
    },

    /** Stops looking after connections, once there are none. */
    stop: () => clearInterval(looking),
  };
}

/** Gives a request the same time to arrive as over HTTP/1.1. Node's timers of streams outlive those of a broken session. */
function limitTime(stream: ServerHttp2Stream, longestMs: number): void {
  const arrival = setTimeout(reset, longestMs, stream);
  const arrived = () => clearTimeout(arrival);
  stream.once("end", arrived).once("close", arrived);
}

/**
 * Asks the client to open no more streams here, and refuses none yet (RFC 9113, section 6.8). A request that is on its way
 * is answered. Node can't send this: after its own GOAWAY, it ignores new streams. So this writes the frame, between
 * Node's. Over TLS, only Node may write, so there such a request is refused, and the client knows that it may repeat it.
 */
function announce(session: ServerHttp2Session, socket: Socket): void {
  if (!session.closed && !session.destroyed && !(socket instanceof TLSSocket)) socket.write(goaway);
}

/** On stream 0, with the highest id a stream can have, and no error. */
const goaway = Buffer.from("0000080700000000007fffffff00000000", "hex");
