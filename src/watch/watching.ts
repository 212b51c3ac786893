import { hash } from "node:crypto";
import type { AuthorizationFeed } from "../authorization/feed.ts";
import type { Caller } from "../authorization/permissions.ts";
import { Refusal } from "../authorization/refusal.ts";
import { unlessAborted } from "../authorization/unless-aborted.ts";
import { unauthenticated } from "../identity/authenticate.ts";
import type { CallerStore, Identified } from "../identity/store.ts";
import { countOf } from "../limits/count.ts";
import { fairQueue } from "../limits/fair-queue.ts";
import { requestInTurn } from "../limits/limits.ts";
import { openPoller, orUnavailable } from "./poller.ts";
import { resumeTokenOf } from "./resume-tokens.ts";
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
  const read = shared(feed, callers);
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

/** Streams that wait for the same events, and what is read for all of them. */
type Group = {
  /** Those whose clients are still there. */
  readonly members: Set<Identified>;
  /** Aborts when the turn of one of them has come, so that the others leave the queue. */
  readonly begun: AbortController;
  readonly reading: PromiseWithResolvers<Found & { readonly changed: ReadonlySet<Identified> }>;
};

/**
 * Streams with the same filters usually need the same at the same time, and their callers see the same if they have the same
 * entries and it is about none of them. So the one whose turn comes first reads it for all (docs/internals/feed.md).
 */
function shared(feed: AuthorizationFeed, callers: Options["callers"]): SharedRead {
  const turns = fairQueue({ most: readsAtOnce, mostWaiting: Number.POSITIVE_INFINITY, longestWaitMs: readingMs });
  const groups = new Map<string, Group>();
  const pause = pausesOf(readsASecond);

  /** @param reader the caller, or one without a user, who sees what all with the same entries see */
  async function share(watch: Watch, identified: Identified, next: Next, reader: Caller): Promise<Found> {
    const key = keyOf(watch, next, reader);
    const group = groups.get(key) ?? {
      members: new Set(),
      begun: new AbortController(),
      reading: Promise.withResolvers(),
    };
    const close = () => groups.get(key) === group && groups.delete(key);
    const member = { ...identified };
    groups.set(key, group);
    group.members.add(member);
    try {
      const endTurn = await takeFirstTurn(group, watch);
      if (endTurn !== undefined) {
        const reading = readForAll(group, watch, next, reader, close).catch(orUnavailable);
        group.reading.resolve(reading.finally(endTurn));
      }
      const found = await unlessAborted(group.reading.promise, watch.signal);
      if (found.changed.has(member)) throw unauthenticated();
      return found;
    } finally {
      group.members.delete(member);
      if (group.members.size === 0) close();
    }
  }

  /** Resolves to the end of its turn for the member whose turn comes first, and to undefined for the others. */
  async function takeFirstTurn({ begun }: Group, { held, signal }: Watch) {
    try {
      const endTurn = await turns.take(held.holder, begun.signal, signal);
      if (!begun.signal.aborted) {
        begun.abort();
        return endTurn;
      }
      endTurn();
    } catch (error) {
      if (begun.signal.aborted) return undefined;
      throw error;
    }
  }

  async function readForAll({ members }: Group, watch: Watch, { latest }: Next, reader: Caller, close: () => void) {
    const { held, filters } = watch;
    // Before the read, not after it: who asks again in a turn of its own would wait for all others.
    const ms = pause();
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
    if (members.size === 0) watch.signal.throwIfAborted();
    const { position, at } = latest();
    const signal = AbortSignal.timeout(readingMs);
    const found = await requestInTurn.run(held, () => feed.read(reader, filters, position, signal)).finally(close);
    // Those who are the same before the read and after it were the same at its moment.
    const changed = await requestInTurn.run(held, () => callers.changedOf([...members], signal));
    return { ...found, at, changed: new Set(changed) };
  }

  return async (watch, identified, next) => {
    const { caller } = identified;
    if (next.isOfOthers(next.at)) {
      const found = await share(watch, identified, next, { userId: "", entries: caller.entries });
      if (next.isOfOthers(found.at)) return found;
    }
    return share(watch, identified, next, caller);
  };
}

/** Equal for streams that need the same events, and whose callers see the same of them. */
function keyOf({ filtersId }: Watch, { position }: Next, { userId, entries }: Caller): string {
  return JSON.stringify([userId, idOfEntries(entries), resumeTokenOf(filtersId, position)]);
}

/** Equal for equal entries. */
function idOfEntries(entries: Caller["entries"]): string {
  return idsOfEntries.getOrInsertComputed(entries, () => hash("sha256", JSON.stringify(entries), "base64url"));
}

/** Callers may have thousands of them. */
const idsOfEntries = new WeakMap<Caller["entries"], string>();

/** How long to pause before each of so many a second, in milliseconds. Those of a second without any can be made up for. */
function pausesOf(aSecond: number): () => number {
  let dueAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    dueAt = Math.max(dueAt, now - 1_000) + 1_000 / aSecond;
    return dueAt - now;
  };
}
