import { constants, createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import type { Socket } from "node:net";
import { hangUpIn, lingerMs } from "./hang-up.ts";
import { http2Limits } from "./http2-limits.ts";

export type Http2 = {
  readonly server: Http2Server;
  /** Serves a connection whose client speaks HTTP/2. */
  accept(socket: Socket): void;
  /** Asks all clients to open no more streams here. Streams they have opened meanwhile are still served. */
  announceEnd(): void;
  /** Lets every session end after its last answer. */
  endSessions(): void;
  /** Stops looking after connections, once there are none. */
  stop(): void;
};

/**
 * Serves HTTP/2, and frees the connections and streams of clients that are idle, slow or gone.
 *
 * @param longestMs how long a request may take to arrive, and a client to read the answer, in milliseconds
 */
export function openHttp2(longestMs: number): Http2 {
  const server = createServer(http2Limits);
  const sessions = new Map<ServerHttp2Session, Socket>();
  let isEnding = false;
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
    sessions.set(session, socket);
    socket.once("close", () => sessions.delete(session));
    session.on("stream", (stream) => {
      open += 1;
      stream.once("close", () => {
        open -= 1;
      });
      limitTime(stream, longestMs);
      if (isEnding && open === 1) announce(session);
    });
    session.setTimeout(longestMs);
    session.on("timeout", () => {
      // Streams have time limits of their own.
      if (open > 0) session.setTimeout(longestMs);
      else session.close();
    });
    // A client that has ended its connection reads no more answers.
    socket.once("end", () => session.destroy());
  }

  return {
    server,
    accept(socket) {
      if (socket.destroyed) return;
      server.once("session", (session) => watch(session, socket));
      server.emit("connection", socket);
    },
    announceEnd() {
      isEnding = true;
      for (const session of sessions.keys()) announce(session);
    },
    endSessions() {
      for (const session of sessions.keys()) if (!session.closed) session.close();
    },
    stop: () => clearInterval(looking),
  };
}

/** Gives a request the same time as over HTTP/1.1, to arrive and to be read. */
function limitTime(stream: ServerHttp2Stream, longestMs: number): void {
  const giveUp = () => stream.close(constants.NGHTTP2_CANCEL);
  const arrival = setTimeout(giveUp, longestMs);
  const arrived = () => clearTimeout(arrival);
  stream.once("end", arrived).once("close", arrived);
  stream.setTimeout(longestMs);
  stream.on("timeout", () => {
    if (stream.writableEnded) giveUp();
  });
}

/** The highest id a stream can have: no stream of the client is refused yet. */
const everyStream = 2 ** 31 - 1;

function announce(session: ServerHttp2Session): void {
  if (!session.closed && !session.destroyed) session.goaway(constants.NGHTTP2_NO_ERROR, everyStream);
}
