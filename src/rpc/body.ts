import { on } from "node:events";
import type { IncomingHttpHeaders } from "node:http";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Call } from "./call.ts";
import { toConnectError } from "./refusals.ts";

/** How many bytes one byte of gzip can become, by its format. */
const mostGzipRatio = 1_032;

/** Larger bodies can block the event loop for tens of milliseconds. */
const largeBytes = 65_536;

/**
 * The body of a call. It ends with an error as soon as the call's signal aborts, which the library's own reading ignores,
 * and its bytes count for the caller. What is left of a body that is refused is dropped, so the connection can be used
 * again.
 *
 * @param mostBytes the most bytes of a message, also of an unpacked one
 * @param idleMs how long the client may send nothing; undefined if the deadline decides
 */
export async function* readBody(call: Call, mostBytes: number, idleMs: number | undefined): AsyncGenerator<Uint8Array> {
  const { request, signal, log } = call;
  const count = counter(call, mostBytes);
  try {
    // A short body has already arrived with its headers. A stream of HTTP/2 is also complete when it was reset.
    if (request.complete && !("stream" in request)) {
      for (let chunk = request.read(); chunk !== null; chunk = request.read()) {
        if (count(chunk) > largeBytes) await turnOfItsOwn();
        yield chunk;
      }
      return;
    }
    for await (const chunk of chunksOf(call, idleMs)) {
      // The chunk may complete a message.
      if (count(chunk) > largeBytes) await turnOfItsOwn();
      yield chunk;
    }
    if (!request.readableEnded || request.aborted) throw new ConnectError("the body broke off", Code.Canceled);
  } catch (error) {
    throw toConnectError(signal.aborted ? signal.reason : error, log, "reading a body");
  } finally {
    request.resume();
  }
}

/** Counts the bytes of a body for its caller. Returns how many there have been. */
function counter({ request, held }: Call, mostBytes: number): (chunk: Uint8Array) => number {
  const packed = isPacked(request.headers);
  let bytes = 0;
  let counted = 0;
  return (chunk) => {
    bytes += chunk.byteLength;
    // What a packed body may become is counted before it is unpacked.
    const whole = packed ? Math.min(mostBytes, bytes * mostGzipRatio) : bytes;
    held.hold(whole - counted);
    counted = whole;
    return bytes;
  };
}

async function* chunksOf({ request, signal, over }: Call, idleMs: number | undefined): AsyncGenerator<Uint8Array> {
  let idle: NodeJS.Timeout | undefined;
  const wait = (ms: number) => {
    clearTimeout(idle);
    idle = setTimeout(() => {
      over.abort(new ConnectError(`nothing was sent for ${ms / 1_000} s`, Code.DeadlineExceeded));
    }, ms);
  };
  if (idleMs !== undefined) wait(idleMs);
  try {
    const options = { signal, close: ["end", "close"], highWaterMark: 2, lowWaterMark: 1 };
    for await (const [chunk] of on(request, "data", options)) {
      if (idleMs !== undefined) wait(idleMs);
      yield chunk;
    }
  } finally {
    clearTimeout(idle);
  }
}

/** Whether the client says, in any protocol, that the body is compressed. */
function isPacked(headers: IncomingHttpHeaders): boolean {
  const { "content-encoding": unary, "connect-content-encoding": stream, "grpc-encoding": grpc } = headers;
  return [unary, stream, grpc].some((encoding) => encoding !== undefined && encoding !== "identity");
}

let lastTurn: Promise<void> = Promise.resolve();

/** Resolves in a turn of the event loop without other large bodies, so small requests are answered in between. */
function turnOfItsOwn(): Promise<void> {
  lastTurn = lastTurn.then(() => new Promise<void>((resolve) => setImmediate(resolve)));
  return lastTurn;
}
