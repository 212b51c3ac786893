import type { AuthorizationFeed, Moment } from "../authorization/feed.ts";
import { Refusal } from "../authorization/refusal.ts";
import { requestToProve } from "../identity/remembered-callers.ts";
import type { CallerStore, Identified } from "../identity/store.ts";
import { countOf } from "../limits/count.ts";
import { fairQueue } from "../limits/fair-queue.ts";
import { requestInTurn } from "../limits/limits.ts";
import { openPoller } from "./poller.ts";
import { type FeedMessage, type Found, type Next, stream, type Watch } from "./stream.ts";

export type WatchLimits = {
  /** How many streams may be open. One caller may have half of them. */
  readonly maximumStreams: number;
  readonly maximumStreamMs: number;
};

/** Throws RATE_LIMITED or OVERLOADED if there are too many streams. */
export type Watching = (watch: Watch) => AsyncGenerator<FeedMessage>;

type Options = {
  readonly feed: AuthorizationFeed;
  readonly callers: Pick<CallerStore, "changedOf">;
  readonly limits: WatchLimits;
  /** Aborts when the server starts to stop. */
  readonly stopping: AbortSignal;
};

/** How many streams read from Postgres at a time. The others wait in their callers' turns. */
const readsAtOnce = 3;
/** How many reads there are in a second, if there are always some to do. Then they leave most of Postgres to requests. */
const readsASecond = 200;
const readingMs = 60_000;

export function openWatching({ feed, callers, limits, stopping }: Options): Watching {
  const { maximumStreams, maximumStreamMs } = limits;
  const poller = openPoller(feed, callers, stopping);
  const streams = countOf(maximumStreams);
  const mostOfCaller = Math.ceil(maximumStreams / 2);
  const read = shared(feed);
  return (watch) => {
    watch.signal.throwIfAborted();
    const { holder } = watch.held;
    const exceeded = streams.exceeded(holder, 1, mostOfCaller);
    if (exceeded === "total") throw new Refusal("OVERLOADED", "too many streams are open; try again");
    if (exceeded === "part") {
      const message = `more than ${mostOfCaller} streams at once; try again later`;
      throw new Refusal("RATE_LIMITED", message, { retryAfterSeconds: "10" });
    }
    streams.add(holder, 1);
    watch.signal.addEventListener("abort", () => streams.add(holder, -1), { once: true });
    watch.held.leave();
    return stream(watch, {
      poller,
      feed,
      read: (identified, next) => read(watch, identified, next),
      maximumStreamMs,
      stopping,
    });
  };
}

type SharedRead = (watch: Watch, identified: Identified, next: Next) => Promise<Found>;

/** Streams of one caller with the same filters usually need the same at the same time, so one of them reads it. */
function shared(feed: AuthorizationFeed): SharedRead {
  const turns = fairQueue({ most: readsAtOnce, mostWaiting: Number.POSITIVE_INFINITY, longestWaitMs: readingMs });
  const reads = new Map<string, ReturnType<SharedRead>>();

  const pause = pausesOf(readsASecond);

  const readInTurn: SharedRead = async ({ held, filters }, { caller, tokenHash }, { latest }) => {
    const signal = AbortSignal.timeout(readingMs);
    const end = await turns.take(held.holder, signal);
    // What is read says whether it is still the caller's.
    const remembered = { caller, tokenHash, doubt: () => {} };
    try {
      // Before the read, not after it: who asks again in a turn of its own would wait for all others.
      const ms = pause();
      if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
      const { position, at } = latest();
      const found = await requestInTurn.run(held, () =>
        requestToProve.run({ remembered }, () => feed.read(caller, filters, position, signal)),
      );
      return { ...found, at };
    } finally {
      end();
    }
  };

  return (watch, identified, next) => {
    const { userId, version } = identified.caller;
    const { seen, sending } = next.position;
    const key = JSON.stringify([
      ...[userId, version, watch.filtersId, textOf(seen), textOf(sending.until)],
      ...[String(sending.after), String(sending.last)],
    ]);
    const known = reads.get(key);
    if (known !== undefined) return known;
    const reading = readInTurn(watch, identified, next);
    reads.set(key, reading);
    // Those who wait for it are told themselves.
    reading.catch(() => {}).finally(() => reads.delete(key));
    return reading;
  };
}

/** How long to pause before each of so many a second, in milliseconds. Those of a second without any can be made up for. */
function pausesOf(aSecond: number): () => number {
  let dueAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    dueAt = Math.max(dueAt, now - 1_000) + 1_000 / aSecond;
    return dueAt - now;
  };
}

function textOf(moment: Moment | undefined): string {
  return moment === undefined ? "" : `${moment.source} ${moment.next} ${moment.running}`;
}
