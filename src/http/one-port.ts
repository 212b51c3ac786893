import http, { type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { constants, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import https from "node:https";
import type { Socket } from "node:net";
import type { Limits, OpenRequest } from "../limits/limits.ts";
import { look } from "./first-bytes.ts";
import type { Raw } from "./hang-up.ts";
import { type Http2, openHttp2 } from "./http2-sessions.ts";

/** A certificate, with those of its authorities, and its key, both in PEM. */
type KeyPair = { readonly cert: Buffer; readonly key: Buffer };

export type Port = ReturnType<typeof openPort>;

/**
 * One port for HTTP/1.1 and HTTP/2. In clear text, the first bytes of a connection tell which of the two the client
 * speaks. With a key pair, clients choose by ALPN, and clients without ALPN get HTTP/1.1.
 *
 * @param longestMs how long a request may take to arrive, and a client to read the answer, in milliseconds
 */
export function openPort(longestMs: number, addresses: Addresses, keyPair: KeyPair | undefined) {
  const server = openServer(longestMs, keyPair);
  const http2 = openHttp2(longestMs, addresses);
  const arrival = keyPair === undefined ? "connection" : "secureConnection";
  const toHttp1 = server.listeners(arrival) as ((this: Server, socket: Socket) => void)[];
  const pass = async (socket: Socket, speaksHttp2: boolean) => {
    // Others may have filled the address since this connection was opened.
    if (!(await addresses.mayConnect(addressOf(socket))) || socket.readableEnded) socket.destroy();
    if (socket.destroyed) return;
    if (speaksHttp2) http2.accept(socket);
    else for (const listener of toHttp1) listener.call(server, socket);
  };
  server.removeAllListeners(arrival);
  const unknown = new Set<Socket>();
  if (keyPair === undefined) {
    const tooLate = (socket: Socket) => server.emit("clientError", unreadable("ERR_HTTP_REQUEST_TIMEOUT"), socket);
    server.on("connection", (socket: Socket) => look(socket, { unknown, pass, ms: server.headersTimeout, tooLate }));
  } else {
    // Node would answer a failed handshake like a request that can't be read.
    server.removeAllListeners("tlsClientError").on("tlsClientError", (_error, socket: Socket) => socket.destroy());
    server.on("secureConnection", (socket) => pass(socket, socket.alpnProtocol === "h2"));
  }
  server.prependListener("connection", (socket: Socket) => {
    if (addresses.isFull(addressOf(socket))) socket.destroy();
  });
  closeTogether(server, http2, unknown);
  return {
    /** Listens, counts and closes all connections, and serves HTTP/1.1. */
    server,
    /** Serves the connections that `server` passes to it. */
    http2,
    addresses,
    /** Shows new clients another certificate. */
    renew(next: KeyPair): void {
      if (server instanceof https.Server) server.setSecureContext(next);
    },
  };
}

function openServer(longestMs: number, keyPair: KeyPair | undefined): Server {
  // Node doesn't enforce a request timeout that is shorter than the one for headers.
  const headersTimeout = Math.min(60_000, longestMs);
  const settings = {
    headersTimeout,
    // By then, a request with an incomplete body has been answered with its deadline. This frees the connection.
    requestTimeout: longestMs,
    keepAliveTimeout: 72_000,
    connectionsCheckingInterval: 1_000,
    // A client may wait in silence for messages of the server. The system notices if its machine is gone.
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
    // Node would refuse a missing Host with an empty body.
    requireHostHeader: false,
  };
  const server =
    keyPair === undefined
      ? http.createServer(settings)
      : https.createServer({ ...settings, ...keyPair, ...encrypted, handshakeTimeout: headersTimeout });
  // For a client that doesn't read its answer.
  return server.setTimeout(longestMs);
}

const encrypted = { ALPNProtocols: ["h2", "http/1.1"], noDelay: true };

const addressOf = (socket: Socket) => socket.remoteAddress ?? "";

type Addresses = Pick<Limits<Raw>, "isFull" | "mayConnect" | "waste">;

/** Which requests are handled at all. */
type Opening = {
  /** Notes a request over HTTP/1.1. Returns false if it must be ignored, because its connection is ending. */
  begin(request: IncomingMessage, response: ServerResponse): boolean;
  /** Counts a request. Undefined if it must be closed unread. */
  open(request: IncomingMessage, response: Raw): OpenRequest | undefined;
};

/** Lets a listener answer the requests of both protocols, and of HTTP/2 also those for a tunnel. */
export function serveOn({ server, http2, addresses }: Port, listener: RequestListener, opening: Opening): Server {
  // Others are malformed requests: Fastify has no answer to them. Node's parser refuses all but PRI itself.
  const known = new Set(http.METHODS);
  const serveStream = (request: Http2ServerRequest, response: Http2ServerResponse) => {
    const { stream } = request;
    const { session } = stream;
    // Its client has cancelled it already. It may have sent thousands like this.
    if (stream.closed || session === undefined || http2.isEnding(session)) return;
    if (!known.has(request.method)) return stream.close(constants.NGHTTP2_PROTOCOL_ERROR);
    const one = opening.open(request as never, response);
    const address = addressOf(request.socket);
    if (one === undefined) return http2.refuse(stream, session, address);
    const openedAt = performance.now();
    stream.once("close", () => {
      // Whatever code the client gives.
      const isCancelled = !response.writableFinished && performance.now() - openedAt < atOnceMs;
      if (isCancelled && !one.hasCaller) void http2.waste(session, address);
    });
    return listener(request as never, response as never);
  };
  // Expectations other than 100-continue can be ignored. Node would answer them with an empty body.
  for (const event of ["request", "checkExpectation", "connect"]) http2.server.on(event, serveStream);
  const serveRequest = oneAtATime((request, response) => {
    if (known.has(request.method ?? "")) listener(request, response);
    else server.emit("clientError", unreadable("HPE_INVALID_METHOD"), request.socket);
  });
  const ignored = new WeakMap<Socket, number>();
  server.on("request", (request, response) => {
    const { socket } = request;
    // Node reads the rest of what has arrived.
    if (socket.destroyed) return void addresses.waste(addressOf(socket), 1);
    const isRead = opening.begin(request, response);
    const one = isRead ? opening.open(request, response) : undefined;
    if (one !== undefined && serveRequest(request, response)) return;
    // Node keeps those that are ignored until the connection is closed, too.
    const count = (ignored.get(socket) ?? 0) + 1;
    ignored.set(socket, count);
    if (!isRead && count <= mostWaiting) return;
    if (one !== undefined || !isRead) void addresses.waste(addressOf(socket), mostWaiting);
    socket.destroy();
  });
  return server.on("checkExpectation", (request, response) => server.emit("request", request, response));
}

/** A request that is cancelled later may have been of use, in milliseconds. */
const atOnceMs = 1_000;

/** How many requests of one connection may wait for the one before them. */
const mostWaiting = 32;

/**
 * Hands over a request of a connection once the response to the one before it has left. Node reads ahead, and would keep
 * all responses until the client reads the first one.
 *
 * @returns a listener that returns false if too many wait
 */
function oneAtATime(listener: RequestListener): (...request: Parameters<RequestListener>) => boolean {
  type Waiting = { readonly response: ServerResponse; readonly serve: () => void };
  const waiting = new WeakMap<Socket, Waiting[]>();

  function next(socket: Socket): void {
    const others = waiting.get(socket) ?? [];
    const [first] = others.splice(0, 1);
    if (first === undefined) waiting.delete(socket);
    else if (!socket.destroyed) first.serve();
    // Node says nothing to responses whose turn never comes.
    else for (const { response } of [first, ...others.splice(0)]) response.emit("close");
  }

  return (request, response) => {
    const { socket } = request;
    const serve = () => {
      response.once("close", () => next(socket));
      listener(request, response);
    };
    const others = waiting.get(socket);
    if (others === undefined) {
      waiting.set(socket, []);
      serve();
      return true;
    }
    return others.push({ response, serve }) <= mostWaiting;
  };
}

/** Node's server knows only the connections of HTTP/1.1. */
function closeTogether(server: Server, http2: Http2, unknown: ReadonlySet<Socket>): void {
  const all = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    all.add(socket);
    socket.once("close", () => all.delete(socket));
  });
  server.on("close", http2.stop);
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    closeIdle();
    http2.endSessions();
    for (const socket of unknown) socket.destroy();
  };
  server.closeAllConnections = () => {
    for (const socket of all) socket.destroy();
  };
}

/** As Node reports what it can't read. */
function unreadable(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code });
}
