import type { ServerResponse } from "node:http";
import { constants, type Http2ServerResponse } from "node:http2";

/** How many bytes of large answers may wait for their clients, of all connections together. */
const mostBytes = 64 * 1_024 * 1_024;

/** Smaller ones are not counted: MAX_REQUESTS_IN_FLIGHT bounds them, because a request is in flight until it is read. */
const largeBytes = 64 * 1_024;

/**
 * Bounds the memory that answers take until their clients have read them. If there are too many, those that have waited
 * longest are given up. Clients that read soon are never among them.
 *
 * @returns a function that counts an answer until its connection is done with it
 */
export function boundUnread(most = mostBytes): (raw: ServerResponse | Http2ServerResponse, bytes: number) => void {
  // In the order of their beginning.
  const waiting = new Map<ServerResponse | Http2ServerResponse, number>();
  let total = 0;

  function forget(raw: ServerResponse | Http2ServerResponse): void {
    total -= waiting.get(raw) ?? 0;
    waiting.delete(raw);
  }

  return (raw, bytes) => {
    if (bytes < largeBytes) return;
    waiting.set(raw, bytes);
    total += bytes;
    raw.once("close", () => forget(raw));
    for (const oldest of waiting.keys()) {
      if (total <= most || oldest === raw) return;
      forget(oldest);
      if ("stream" in oldest) oldest.stream.close(constants.NGHTTP2_CANCEL);
      else oldest.destroy();
    }
  };
}
