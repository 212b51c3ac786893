import type { Holder } from "./count.ts";

/** A response, as far as its client may not read it. */
export type Unread = {
  /** The bytes that are still to be read. */
  readonly writableLength: number;
  /** Whether all of it is written. Without a body, it may still have to be sent. */
  readonly writableEnded: boolean;
  once(event: "close", listener: () => void): unknown;
};

/** How many bytes of responses may wait for their clients, of all together and of one holder. */
const most = 64 * 1_024 * 1_024;
const mostOfOne = most / 4;

/** How long a client may read nothing while more than half of that waits, in milliseconds. */
const patienceMs = 5_000;

/** How often responses are looked at, in milliseconds. */
const everyMs = 250;

type Waiting = { readonly request: { readonly holder: Holder }; bytes: number; since: number };

/**
 * Bounds the memory that responses take until their clients have read them:
 *
 * - While more than half of it is taken, or a holder has more than its part, a response of which nothing is read for some
 *   seconds ends.
 * - When all of it is taken, those end that have waited longest.
 * - However little is taken, a response ends if what was written of it at once isn't read in the time that requests may take.
 *
 * The bytes are looked at four times a second, wherever they are written, instead of being counted. Those of a response that
 * was given up take memory until it is closed, so it is given up again until then.
 */
export function watchUnread<Response extends Unread>(giveUp: (response: Response) => void, longestMs: number) {
  const open = new Map<Response, Waiting>();

  function look(): void {
    const now = performance.now();
    const ofHolders = new Map<Holder, number>();
    let unread = 0;
    for (const [response, waiting] of open) {
      const bytes = response.writableLength;
      if (bytes !== waiting.bytes || (bytes === 0 && !response.writableEnded)) waiting.since = now;
      waiting.bytes = bytes;
      unread += bytes;
      const { holder } = waiting.request;
      if (holder !== undefined) ofHolders.set(holder, (ofHolders.get(holder) ?? 0) + bytes);
    }
    const isTight = unread > most / 2;
    const slowest = [...open].sort(([, a], [, b]) => a.since - b.since);
    for (const [response, { request, bytes, since }] of slowest) {
      const ofHolder = ofHolders.get(request.holder) ?? 0;
      const isStuck = now - since >= (isTight || ofHolder > mostOfOne ? patienceMs : longestMs);
      if ((unread <= most || bytes === 0) && !isStuck) continue;
      unread -= bytes;
      ofHolders.set(request.holder, ofHolder - bytes);
      giveUp(response);
    }
  }

  const looking = setInterval(look, everyMs).unref();
  return {
    watch(request: Waiting["request"], response: Response): void {
      open.set(response, { request, bytes: 0, since: performance.now() });
      response.once("close", () => open.delete(response));
    },
    stop: () => clearInterval(looking),
  };
}
