import type { NamedEvent } from "../authorization/event.ts";
import type { AuthorizationFeed, FeedPosition, SendingPosition, Span } from "../authorization/feed.ts";
import type { EventFilter } from "../authorization/history.ts";
import { Refusal } from "../authorization/refusal.ts";
import { unlessAborted } from "../authorization/unless-aborted.ts";
import type { Identified } from "../identity/store.ts";
import type { OpenRequest } from "../limits/limits.ts";
import { couldConcern } from "./concerns.ts";
import { type Known, type Member, type Poller, patienceMs } from "./poller.ts";

/** How often a stream without events says so, and makes sure of its credentials, in milliseconds. */
const heartbeatMs = 8_000;
/** How long it waits for events that are being read before it says so, in milliseconds. */
const longestSilenceMs = 5_000;
const pauseMs = 500;

/** What a stream is asked for, and by whom. */
export type Watch = {
  /** The caller as the gate found it. */
  readonly identified: Identified;
  /** Finds the caller again, who may be a remembered one. Throws UNAUTHENTICATED. */
  identifyAgain(mayRemember: boolean): Promise<Identified>;
  readonly filters: readonly EventFilter[];
  /** Equal for equal filters. */
  readonly filtersId: string;
  /** Undefined: from now on. */
  readonly start: FeedPosition | undefined;
  readonly held: OpenRequest;
  /** Aborts when the call has ended, in whatever way. */
  readonly signal: AbortSignal;
};

export type FeedMessage = {
  readonly events: readonly NamedEvent[];
  readonly position: FeedPosition;
  readonly haveRightsChanged: boolean;
};

/** What is to be read. */
export type Next = {
  readonly position: SendingPosition;
  readonly at: Known;
  /** The same until what is known when it is read: many events that are read together cost little more than one. */
  readonly latest: () => Reading;
  /** Whether no event until then is of an authorization of the caller, so that it sees what all with the same entries see. */
  readonly isOfOthers: (until: Known) => boolean;
};

export type Reading = { readonly position: SendingPosition; readonly at: Known };
export type Found = Awaited<ReturnType<AuthorizationFeed["read"]>> & Pick<Reading, "at">;

type Options = {
  readonly poller: Poller;
  readonly feed: Pick<AuthorizationFeed, "span">;
  /** Reads in the caller's turn, or in that of another one. Throws UNAUTHENTICATED if the caller has changed. */
  readonly read: (identified: Identified, next: Next) => Promise<Found>;
  readonly maximumStreamMs: number;
  readonly stopping: AbortSignal;
};

/**
 * One stream: its next events are read when the last ones have been taken, by what its caller may see then. It waits for the
 * poller without a connection to Postgres.
 */
export async function* stream(watch: Watch, options: Options): AsyncGenerator<FeedMessage> {
  const { poller, feed, read, maximumStreamMs, stopping } = options;
  const { signal, filters, start } = watch;
  const endsAt = performance.now() + maximumStreamMs;
  const member: Member = { identified: watch.identified, isStale: false, hasBegun: false, wake: () => {} };
  const leave = poller.join(member);
  // What waits for a client that has gone is never resumed.
  signal.addEventListener("abort", () => {
    leave();
    member.wake();
  });
  const patiently = <T>(work: () => Promise<T>) => untilAnswered(work, signal);
  let at = await patiently(poller.fresh);
  let position: FeedPosition = start ?? { seen: at.moment };
  /** Whether the position is older than the rounds that are known. */
  let isBehind = start !== undefined;
  /** What is to be sent came after that round. Undefined if the position was older than the rounds that are known. */
  let after: number | undefined;
  /** Whether a part of what is to be sent was sent. */
  let isBegun = start?.sending !== undefined;
  let haveRightsChanged = false;
  let sentAt = Number.NEGATIVE_INFINITY;
  /** When its credentials were checked. Those of the gate may only be remembered. */
  let identifiedAt = Number.NEGATIVE_INFINITY;
  let concerns = couldConcern(member.identified.caller, filters);
  member.hasBegun = true;

  async function identifyAgain(): Promise<void> {
    const { version } = member.identified.caller;
    const mayRemember = !member.isStale;
    member.isStale = false;
    identifiedAt = performance.now();
    member.identified = await patiently(() => watch.identifyAgain(mayRemember));
    if (member.identified.caller.version === version) return;
    haveRightsChanged = true;
    concerns = couldConcern(member.identified.caller, filters);
  }

  /** Takes what became visible since the position as what is to be sent next, if it could be the caller's. */
  async function takeNext(): Promise<void> {
    if (member.failure !== undefined) throw member.failure;
    const known = poller.known();
    if (position.sending !== undefined || known === undefined) return;
    const rounds = isBehind ? undefined : poller.roundsAfter(at.number);
    const { seen } = position;
    const next = rounds === undefined ? await patiently(() => feed.span(seen, known.moment, signal)) : spanOf(rounds);
    const couldBeSent = next !== undefined && (rounds?.some(({ events }) => concerns(events)) ?? true);
    position = couldBeSent
      ? { seen, sending: { until: known.moment, after: next.first - 1n, last: next.last } }
      : { seen: known.moment };
    after = rounds && at.number;
    at = known;
    isBehind = false;
  }

  function isOfOthers(until: Known): boolean {
    const { userId } = member.identified.caller;
    const rounds = after === undefined ? undefined : poller.roundsAfter(after);
    const sent = rounds?.filter(({ number }) => number <= until.number);
    return sent?.every(({ events }) => events?.every((event) => event.userId !== userId)) ?? false;
  }

  /** In the middle of what became visible at once, nothing is added to it. */
  function latestOf(reading: Reading): Next["latest"] {
    return () => {
      const known = poller.known();
      const rounds = poller.roundsAfter(reading.at.number);
      if (isBegun || known === undefined || rounds === undefined) return reading;
      const { seen, sending } = reading.position;
      const own = { first: sending.after + 1n, last: sending.last };
      const { first, last } = spanOf([{ span: own }, ...rounds]) ?? own;
      return { position: { seen, sending: { until: known.moment, after: first - 1n, last } }, at: known };
    };
  }

  async function readNext(): Promise<FeedMessage["events"]> {
    const { seen, sending } = position;
    if (sending === undefined) return [];
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), longestSilenceMs);
    });
    try {
      const reading = { position: { seen, sending }, at };
      const next = { ...reading, latest: latestOf(reading), isOfOthers };
      const found = await Promise.race([patiently(() => read(member.identified, next)), silence]);
      if (found === undefined) return [];
      ({ position, at } = found);
      isBegun = position.sending !== undefined;
      return found.events;
    } catch (error) {
      if (!isOneOf(error, ["UNAUTHENTICATED"])) throw error;
      member.isStale = true;
      return [];
    } finally {
      clearTimeout(timer);
    }
  }

  while (true) {
    signal.throwIfAborted();
    // Events may come so often that there is no heartbeat, and no statement knows when a JWT expires.
    if (member.isStale || performance.now() - identifiedAt >= heartbeatMs) await identifyAgain();
    // It may have been found with the rights of before what it would skip now.
    if (member.isStale) continue;
    await takeNext();
    const events = await readNext();
    const isOver = stopping.aborted || performance.now() >= endsAt;
    if (events.length > 0 || haveRightsChanged || isOver || performance.now() - sentAt >= heartbeatMs) {
      yield { events, position, haveRightsChanged };
      haveRightsChanged = false;
      sentAt = performance.now();
    }
    if (isOver) return;
    const hasMore = isBehind || position.sending !== undefined || poller.known()?.number !== at.number;
    if (hasMore || member.isStale || member.failure !== undefined) continue;
    await woken(member, Math.min(sentAt + heartbeatMs, endsAt) - performance.now());
  }
}

function spanOf([one, ...others]: readonly { readonly span: Span }[]): Span | undefined {
  if (one === undefined) return undefined;
  let { first, last } = one.span;
  for (const { span } of others) {
    if (span.first < first) first = span.first;
    if (span.last > last) last = span.last;
  }
  return { first, last };
}

/** Resolves when there may be something to do for the stream, at the latest after that many milliseconds. */
function woken(member: Member, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.max(ms, 0));
    member.wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

/** Asks again for a while if Postgres, or the issuer of JWTs, can't answer, as during a fail-over. */
async function untilAnswered<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const began = performance.now();
  while (true) {
    try {
      return await unlessAborted(work(), signal);
    } catch (error) {
      const isPassing = isOneOf(error, ["DATABASE_UNAVAILABLE", "OVERLOADED", "KEYS_UNAVAILABLE"]);
      if (!isPassing || performance.now() - began > patienceMs) throw error;
      await unlessAborted(new Promise((resolve) => setTimeout(resolve, pauseMs)), signal);
    }
  }
}

function isOneOf(error: unknown, reasons: readonly Refusal["reason"][]): boolean {
  return error instanceof Refusal && reasons.includes(error.reason);
}
