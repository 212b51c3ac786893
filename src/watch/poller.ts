import { AsyncLocalStorage } from "node:async_hooks";
import type { AuthorizationFeed, EventKey, Look, Moment, Span } from "../authorization/feed.ts";
import { Refusal } from "../authorization/refusal.ts";
import type { CallerStore, Identified } from "../identity/store.ts";
import { requestInTurn } from "../limits/limits.ts";

/** A stream, as far as the poller knows it. */
export type Member = {
  identified: Identified;
  /** Whether its caller must be looked up again. */
  isStale: boolean;
  /** Whether it has a position. Until then, it begins with the next look. */
  hasBegun: boolean;
  /** Why it must end. */
  failure?: unknown;
  /** Called when there is something to do for it. */
  wake(): void;
};

/** Events that became visible at once. */
type Round = { readonly number: number; readonly span: Span; readonly events: readonly EventKey[] | undefined };

/** Up to here everything is known. */
export type Known = { readonly moment: Moment; readonly number: number };

export type Poller = ReturnType<typeof openPoller>;

/** How often it looks, in milliseconds. */
const everyMs = 150;
/** How often the callers of idle streams are compared, in milliseconds. */
const compareEveryMs = 5_000;
/** How many rounds with events are kept for streams that are behind. */
const mostRounds = 100;
const statementMs = 10_000;

/**
 * Looks for new events while there are streams, for all of them at once. Whenever there are some, and every few seconds, it
 * also asks which callers have changed: so no stream skips events because of rights that its caller had before.
 */
export function openPoller(feed: AuthorizationFeed, callers: Pick<CallerStore, "changedOf">, stopping: AbortSignal) {
  const members = new Set<Member>();
  // Looks are for all streams, so they are no part of the request that happens to start them, and have a turn of their own.
  const outsideRequests = AsyncLocalStorage.snapshot();
  let known: Known | undefined;
  let rounds: Round[] = [];
  /** Never starts again, so that no stream takes a round for one that it knows. */
  let number = 0;
  let comparedAt = 0;
  let isRunning = false;
  let underWay: Promise<unknown> = Promise.resolve();
  let following: Promise<Known> | undefined;

  async function look(): Promise<Known> {
    const found = await lookOrBeginAgain();
    const isDue = performance.now() - comparedAt >= compareEveryMs;
    const changed = found.span !== undefined || isDue ? await compare() : [];
    if (found.span !== undefined) {
      number += 1;
      rounds = [...rounds, { number, span: found.span, events: found.events }].slice(-mostRounds);
    }
    known = { moment: found.moment, number };
    for (const member of changed) member.isStale = true;
    for (const member of found.span === undefined ? changed : members) member.wake();
    return known;
  }

  async function lookOrBeginAgain(): Promise<Look> {
    try {
      return await feed.look(known?.moment, AbortSignal.timeout(statementMs));
    } catch (error) {
      if (!(error instanceof Refusal) || error.reason !== "RESUME_TOKEN_EXPIRED") throw error;
      beginAgain(error);
      return feed.look(undefined, AbortSignal.timeout(statementMs));
    }
  }

  async function compare(): Promise<readonly Member[]> {
    const compared = [...members].map((member) => ({ ...member.identified, member }));
    const changed = await callers.changedOf(compared, AbortSignal.timeout(statementMs));
    comparedAt = performance.now();
    return changed.map(({ member }) => member);
  }

  /** Ends all streams. Those that are resumed find what became visible since, and read it in parts: it may be too much for a look. */
  function beginAgain(error: unknown): void {
    for (const member of members) {
      if (!member.hasBegun) continue;
      member.failure = error;
      member.wake();
    }
    // What is left out has been a round, so that a stream that is still reading doesn't take the next one for it.
    number += 1;
    forget();
  }

  function forget(): void {
    rounds = [];
    known = undefined;
  }

  /** Looks after this call, and resolves to what is known then. All who wait share the next look. */
  function fresh(): Promise<Known> {
    following ??= underWay.then(() => {
      following = undefined;
      const looking = outsideRequests(() => requestInTurn.run({ turn: "the feed" }, look)).catch(orUnavailable);
      underWay = looking.catch(() => {});
      return looking;
    });
    return following;
  }

  async function run(): Promise<void> {
    isRunning = true;
    let failedSince: number | undefined;
    while (members.size > 0) {
      try {
        await fresh();
        failedSince = undefined;
      } catch (error) {
        failedSince ??= performance.now();
        if (performance.now() - failedSince > patienceMs) beginAgain(error);
      }
      await new Promise((resolve) => setTimeout(resolve, everyMs).unref());
    }
    forget();
    isRunning = false;
  }

  stopping.addEventListener("abort", () => {
    for (const member of members) member.wake();
  });
  return {
    /** Returns a function that takes the stream out again. */
    join(member: Member): () => void {
      members.add(member);
      if (!isRunning) void run();
      return () => members.delete(member);
    },
    fresh,
    known: () => known,
    /** The events after that number of rounds; undefined if they are no longer known. */
    roundsAfter(after: number): readonly Round[] | undefined {
      const first = rounds[0]?.number ?? number + 1;
      return first > after + 1 ? undefined : rounds.filter((round) => round.number > after);
    },
  };
}

/** How long streams outlast that Postgres can't be asked, in milliseconds: not so long that they are silent for longer than they may be. */
export const patienceMs = 5_000;

/** Postgres that takes too long is as good as none: it passes, and clients resume their streams. */
export function orUnavailable(error: unknown): never {
  if (!(error instanceof DOMException) || error.name !== "TimeoutError") throw error;
  throw new Refusal("DATABASE_UNAVAILABLE", "the database takes too long; try again", {}, { cause: error });
}
