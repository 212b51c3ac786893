import type { AuthorizationFeed, Moment, SendingPosition } from "../authorization/feed.ts";
import { Refusal } from "../authorization/refusal.ts";
import { requestToProve } from "../identity/remembered-callers.ts";
import type { CallerStore, Identified } from "../identity/store.ts";
import { countOf } from "../limits/count.ts";
import { fairQueue } from "../limits/fair-queue.ts";
import { requestInTurn } from "../limits/limits.ts";
import { openPoller } from "./poller.ts";
import { type FeedMessage, stream, type Watch } from "./stream.ts";

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
      read: (identified, position) => read(watch, identified, position),
      maximumStreamMs,
      stopping,
    });
  };
}

type SharedRead = (
  watch: Watch,
  identified: Identified,
  position: SendingPosition,
) => ReturnType<AuthorizationFeed["read"]>;

/** Streams of one caller with the same filters usually need the same at the same time, so one of them reads it. */
function shared(feed: AuthorizationFeed): SharedRead {
  const turns = fairQueue({ most: readsAtOnce, mostWaiting: Number.POSITIVE_INFINITY, longestWaitMs: readingMs });
  const reads = new Map<string, ReturnType<SharedRead>>();

  const readInTurn: SharedRead = async ({ held, filters }, { caller, tokenHash }, position) => {
    const signal = AbortSignal.timeout(readingMs);
    const end = await turns.take(held.holder, signal);
    // What is read says whether it is still the caller's.
    const remembered = { caller, tokenHash, doubt: () => {} };
    try {
      return await requestInTurn.run(held, () =>
        requestToProve.run({ remembered }, () => feed.read(caller, filters, position, signal)),
      );
    } finally {
      end();
    }
  };

  return (watch, identified, position) => {
    const { userId, version } = identified.caller;
    const { seen, sending } = position;
    const key = JSON.stringify([
      ...[userId, version, watch.filtersId, textOf(seen), textOf(sending.until)],
      ...[String(sending.after), String(sending.last)],
    ]);
    const known = reads.get(key);
    if (known !== undefined) return known;
    const reading = readInTurn(watch, identified, position);
    reads.set(key, reading);
    // Those who wait for it are told themselves.
    reading.catch(() => {}).finally(() => reads.delete(key));
    return reading;
  };
}

function textOf(moment: Moment | undefined): string {
  return moment === undefined ? "" : `${moment.source} ${moment.next} ${moment.running}`;
}
