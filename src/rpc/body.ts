import { on } from "node:events";
import type { IncomingHttpHeaders } from "node:http";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Call } from "./call.ts";
import { toConnectError } from "./refusals.ts";

/** How many bytes one byte of gzip can become, by its format. */
const mostGzipRatio = 1_032;

/** Parsing more than this can block the event loop for tens of milliseconds. */
const largeBytes = 65_536;

/** How many bytes protocols add to a message. */
const mostAround = 1_024;

/**
 * The body of a call. It ends with an error as soon as the call's signal aborts, which the library's own reading ignores,
 * and its bytes count for the caller. The rest of a large one is handed over in a turn of its caller's, so that others are
 * answered in between. What is left of a body that is refused is dropped, so the connection can be used again.
 *
 * @param mostBytes the most bytes of the message, also of an unpacked one. Undefined for a stream of messages, which are
 *   handed over as they come, each bounded by the library
 * @param idleMs how long the client may send nothing; undefined if the deadline decides
 */
export async function* readBody(
  call: Call,
  mostBytes: number | undefined,
  idleMs: number | undefined,
): AsyncGenerator<Uint8Array> {
  const { request, signal, log, held, read } = call;
  const kept: Uint8Array[] = [];
  let bytes = 0;
  let counted = 0;
  try {
    if (mostBytes === undefined) return yield* chunksOf(call, idleMs);
    for await (const chunk of chunksOf(call, idleMs)) {
      bytes += chunk.byteLength;
      // What a packed body may become is counted before it is unpacked.
      const unpacked = isPacked(request.headers) ? Math.min(mostBytes, bytes * mostGzipRatio) : bytes;
      held.hold(unpacked - counted);
      counted = unpacked;
      read.chunks.push(chunk);
      if (counted > largeBytes) kept.push(chunk);
      else yield chunk;
      // The library refuses it, but would wait for the rest.
      if (bytes > mostBytes + mostAround) break;
    }
    read.isAll = bytes <= mostBytes + mostAround;
    read.isLarge = kept.length > 0;
    if (read.isLarge) await held.takeTurn(signal);
    yield* kept;
  } catch (error) {
    throw toConnectError(signal.aborted ? signal.reason : error, log, "reading a body");
  } finally {
    request.resume();
  }
}

/** The same body again, of a call that was answered before. If it wasn't read whole, it fails as it did then. */
export async function* readAgain({ read, failure, held, over }: Call): AsyncGenerator<Uint8Array> {
  if (!read.isAll) throw failure ?? new ConnectError("the body broke off", Code.Canceled);
  if (read.isLarge) await held.takeTurn(over.signal);
  yield* read.chunks;
}

async function* chunksOf({ request, signal, over }: Call, idleMs: number | undefined): AsyncGenerator<Uint8Array> {
  // A short body has already arrived with its headers. A stream of HTTP/2 is also complete when it was reset.
  if (request.complete && !("stream" in request)) {
    for (let chunk = request.read(); chunk !== null; chunk = request.read()) yield chunk;
    return;
  }
  let idle: NodeJS.Timeout | undefined;
  if (idleMs !== undefined) {
    const message = `nothing was sent for ${idleMs / 1_000} s`;
    idle = setTimeout(() => over.abort(new ConnectError(message, Code.DeadlineExceeded)), idleMs);
  }
  try {
    const options = { signal, close: ["end", "close"], highWaterMark: 2, lowWaterMark: 1 };
    for await (const [chunk] of on(request, "data", options)) {
      idle?.refresh();
      yield chunk;
    }
    if (!request.readableEnded || request.aborted) throw new ConnectError("the body broke off", Code.Canceled);
  } finally {
    clearTimeout(idle);
  }
}

/** Whether the client says, in any protocol, that the body is compressed. */
function isPacked(headers: IncomingHttpHeaders): boolean {
  const { "content-encoding": unary, "connect-content-encoding": stream, "grpc-encoding": grpc } = headers;
  return [unary, stream, grpc].some((encoding) => encoding !== undefined && encoding !== "identity");
}
