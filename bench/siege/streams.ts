import { flags, frame, framesOf, frameTypes, preface, settingsOf } from "../../test/support/http2-frames.ts";
import { keepOpen, pauseMs } from "./connections.ts";

export type Streams = {
  readonly connections: number;
  /** On each connection. */
  readonly streams: number;
  /** The block of headers of each request. */
  readonly headers: Buffer;
  readonly body?: Buffer;
  /** Whether the body is whole; by default, it is. */
  readonly isWhole?: boolean;
  /** How many bytes of an answer's body the client takes; by default, as many as come. */
  readonly window?: number;
  /** How long the client stays connected, in milliseconds; by default, until the server closes the connection. */
  readonly staysMs?: number;
};

const { endStream, endHeaders } = flags;
const initialWindowSize = 4;
const largestWindow = 2 ** 31 - 1;

/** Keeps so many requests open over HTTP/2. For one that ends or is reset, another is sent after a pause. */
export function keepStreams(port: number, wanted: Streams): void {
  const { connections, streams, headers, body, isWhole = true, window = largestWindow, staysMs } = wanted;
  const request = (stream: number) =>
    body === undefined
      ? frame("headers", endHeaders | endStream, stream, headers)
      : Buffer.concat([
          frame("headers", endHeaders, stream, headers),
          frame("data", isWhole ? endStream : 0, stream, body),
        ]);
  const greeting = Buffer.concat([preface, frame("settings", 0, 0, settingsOf([initialWindowSize, window]))]);
  keepOpen(connections, port, (socket) => {
    let next = 1;
    const send = (count: number) => {
      const ids = Array.from({ length: count }, (_, index) => next + 2 * index);
      next += 2 * count;
      socket.write(Buffer.concat(ids.map(request)));
    };
    socket.write(greeting);
    send(streams);
    if (staysMs !== undefined) setTimeout(() => socket.destroy(), staysMs);
    let rest = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer<ArrayBuffer>) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let ended = 0;
      for (const { type, flags: flagged, payload } of framesOf(rest)) {
        rest = rest.subarray(9 + payload.length);
        const isLast = type <= frameTypes.headers && (flagged & endStream) !== 0;
        if (isLast || type === frameTypes.reset) ended += 1;
      }
      if (ended > 0) setTimeout(() => !socket.destroyed && send(ended), pauseMs);
    });
  });
}
