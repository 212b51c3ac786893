import type { IncomingMessage, ServerResponse } from "node:http";
import { constants, type Http2ServerResponse, type Http2Stream } from "node:http2";
import type { Duplex } from "node:stream";

/** The answer to a request, over HTTP/1.1 or HTTP/2. */
export type Raw = ServerResponse | Http2ServerResponse;

/** Closes a connection in that many milliseconds, unless it is closed by then. */
export function hangUpIn(ms: number, socket: Duplex): void {
  const hangUp = setTimeout(() => socket.destroy(), ms);
  socket.once("close", () => clearTimeout(hangUp));
}

/** How long a client may take to read its last answer and hang up, in milliseconds. */
export const lingerMs = 2_000;

/** Ends an answer that its client doesn't read: its stream of HTTP/2, or its connection. */
export function giveUp(raw: Raw): void {
  if (!("stream" in raw)) raw.destroy();
  else if (raw.stream?.closed === false) reset(raw.stream);
}

/**
 * Resets a stream of HTTP/2. Node can't send that before the client has taken what was written to its connection. If it
 * takes nothing of any stream, the connection ends.
 */
export function reset(stream: Http2Stream): void {
  const { session } = stream;
  const end = setTimeout(() => session?.destroy(), lingerMs);
  stream.once("close", () => clearTimeout(end));
  stream.close(constants.NGHTTP2_CANCEL);
}

type Told = (error: NodeJS.ErrnoException | null | undefined) => void;
type Write = (chunk: string | Uint8Array, encoding: BufferEncoding, told?: Told) => boolean;

/**
 * Has failed writes of an answer say that the connection was reset. Whatever the system says, the client has gone or was cut
 * off: Node says that a write that was under way was cancelled, for example. Connect's plugin prints all errors of writes
 * but a few that it knows as the end of a client.
 */
export function failAsReset(raw: Raw): void {
  const write: Write = raw.write.bind(raw);
  const writeOrReset: Write = (chunk, encoding, told) =>
    write(chunk, encoding, (error) => {
      if (error?.syscall !== undefined) error.code = "ECONNRESET";
      told?.(error);
    });
  Object.assign(raw, { write: writeOrReset });
}

/**
 * Lets a client of HTTP/2 know that the rest of its body is not read. Otherwise, the stream would stay half open until the
 * client ends it, too. Call it before the answer is written.
 */
export function endUnread(request: IncomingMessage, raw: Raw): void {
  if (!("stream" in raw) || request.complete) return;
  // Node sends the trailers right after this event. Closed any earlier, the stream would lose them.
  raw.stream.once("wantTrailers", () =>
    setImmediate(() => request.complete || raw.stream?.close(constants.NGHTTP2_NO_ERROR)),
  );
}

/** For the errors of broken connections: without a listener, they would end the process. */
export const ignoreError = () => {};
