import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { Code, ConnectError } from "@connectrpc/connect";
import { errorToJson } from "@connectrpc/connect/protocol-connect";
import { safeHeaders } from "./safe-headers.ts";

/** How long a client may take to read its answer and hang up, in milliseconds. */
const lingerMs = 2_000;

/** What Node's parser refuses never becomes a request; it is answered on the bare socket. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy();
  } else if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") {
    answer(socket, "408 Request Timeout", Code.DeadlineExceeded, "the request did not arrive in time");
  } else if (error.code === "HPE_HEADER_OVERFLOW") {
    answer(socket, "431 Request Header Fields Too Large", Code.ResourceExhausted, "the headers are too large");
  } else {
    answer(socket, "400 Bad Request", Code.InvalidArgument, "malformed HTTP request");
  }
}

/** CONNECT asks for a tunnel, for which Node hands over the socket. */
export function answerTunnel(socket: Duplex): void {
  // The client may be gone already; without a listener that would end the process.
  socket.on("error", () => {});
  answer(socket, "405 Method Not Allowed", Code.Unimplemented, "CONNECT is not served here", "allow: GET, HEAD, POST");
}

function answer(socket: Duplex, status: string, code: Code, message: string, ...headers: string[]): void {
  const body = JSON.stringify(errorToJson(new ConnectError(message, code), undefined));
  const head = [
    `HTTP/1.1 ${status}`,
    "connection: close",
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    ...Object.entries(safeHeaders).map(([name, value]) => `${name}: ${value}`),
    ...headers,
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  // Closing at once could take the answer away from a client that is still sending.
  const hangUp = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(hangUp));
}
