import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { Code, ConnectError } from "@connectrpc/connect";
import { errorToJson } from "@connectrpc/connect/protocol-connect";
import { hangUpIn, ignoreError, lingerMs } from "./hang-up.ts";
import { ambiguityOf } from "./request-head.ts";
import { safeHeaders } from "./safe-headers.ts";

/** The last readable request of a connection, its answer, and the answer before that. */
type Last = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly before: ServerResponse | undefined;
};

export type UnreadableRequests = ReturnType<typeof unreadableRequests>;

/**
 * Refuses input that is not a request, or is ambiguous, and ends the connection: nothing that follows is handled.
 * Earlier requests are answered first, because clients match answers to requests by their order.
 *
 * @param longestMs how long those answers may take, in milliseconds
 */
export function unreadableRequests(longestMs: number) {
  const lastOf = new WeakMap<Duplex, Last>();
  const broken = new WeakSet<Duplex>();

  function giveUp(socket: Duplex): void {
    broken.add(socket);
    hangUpIn(longestMs, socket);
  }

  function answerInTurn(socket: Duplex, refusal: string): void {
    giveUp(socket);
    const last = lastOf.get(socket);
    // If the body of the last request is broken, the refusal replaces its answer, unless that has begun.
    const replaced = last?.request.complete === false ? last.response : undefined;
    const earlier = replaced?.headersSent === false ? last?.before : last?.response;
    const answerNow = () => (replaced?.headersSent ? end(socket) : end(socket, refusal));
    if (earlier === undefined || earlier.closed) answerNow();
    else earlier.once("close", answerNow);
  }

  return {
    /**
     * Records a readable request. Returns false if its connection is ending: then it must be neither handled nor
     * answered.
     */
    begin(request: IncomingMessage, response: ServerResponse): boolean {
      const { socket } = request;
      if (broken.has(socket)) return false;
      lastOf.set(socket, { request, response, before: lastOf.get(socket)?.response });
      return true;
    },

    /** Whether no more requests of a connection are handled. */
    isEnding: (socket: Duplex) => broken.has(socket),

    /** Handles no request after the last one. Its answer must close the connection. */
    giveUp,

    /** Answers input that Node's parser refuses and that never becomes a request. */
    answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
      if (broken.has(socket)) return;
      const isTooSlow = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
      // A client that doesn't read its answer wouldn't read this one either.
      const isUnread = isTooSlow && lastOf.get(socket)?.response.closed === false;
      if (!socket.writable || isUnread) socket.destroy();
      else if (isTooSlow) answerInTurn(socket, tooSlow);
      else answerInTurn(socket, error.code === "HPE_HEADER_OVERFLOW" ? tooLarge : badRequest("malformed HTTP request"));
    },

    /** Answers CONNECT, which requests a tunnel. Node hands over the socket. */
    answerTunnel(request: IncomingMessage, socket: Duplex): void {
      // The client may already be gone.
      socket.on("error", ignoreError);
      const ambiguity = ambiguityOf(request);
      answerInTurn(socket, ambiguity === undefined ? noTunnel : badRequest(ambiguity));
    },
  };
}

/** The last response on a connection, in full. */
function refusal(status: string, code: Code, message: string, ...headers: string[]): string {
  const body = JSON.stringify(errorToJson(new ConnectError(message, code), undefined));
  const head = [
    `HTTP/1.1 ${status}`,
    "connection: close",
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    ...Object.entries(safeHeaders).map(([name, value]) => `${name}: ${value}`),
    ...headers,
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

const tooSlow = refusal("408 Request Timeout", Code.DeadlineExceeded, "the request did not arrive in time");
const tooLarge = refusal("431 Request Header Fields Too Large", Code.ResourceExhausted, "the headers are too large");
const allow = "allow: GET, HEAD, POST";
const noTunnel = refusal("405 Method Not Allowed", Code.Unimplemented, "CONNECT is not supported here", allow);
const badRequest = (message: string) => refusal("400 Bad Request", Code.InvalidArgument, message);

function end(socket: Duplex, refusal?: string): void {
  if (!socket.writable) return;
  socket.end(refusal);
  // If the connection closed at once, a client that is still sending could lose the answer.
  hangUpIn(lingerMs, socket);
}
