import type { NamedEvent } from "./event.ts";
import type { EventFilter } from "./history.ts";
import type { Caller } from "./permissions.ts";

/**
 * What the primary showed at a moment: all transactions before `next`, except for those that were running. Right before
 * `next` is one with an event, or one that is archived: it is on the disk. A crash may lose transactions that came later
 * and ended without a commit, and their numbers are then given again. Only another moment of the same source can be compared.
 */
export type Moment = {
  /** Names the database and its timeline: a promoted replica uses the numbers of lost transactions again. */
  readonly source: string;
  readonly next: bigint;
  readonly running: readonly bigint[];
};

/** Sequences of events: the first one, and the last one. */
export type Span = { readonly first: bigint; readonly last: bigint };

/** A part of the events that became visible until a moment: those after a sequence. */
export type Sending = { readonly until: Moment; readonly after: bigint; readonly last: bigint };

/**
 * Where a reader of the feed is. Sequences alone would skip what commits late, and transactions alone could put two
 * changes of one authorization into the wrong order. So what became visible between two moments is next, by sequence.
 */
export type FeedPosition = {
  /** Everything that was visible then was sent. Undefined: nothing was. */
  readonly seen: Moment | undefined;
  /** Set while what became visible since then is being sent. */
  readonly sending?: Sending;
};

export type SendingPosition = FeedPosition & { readonly sending: Sending };

/** What filters and rights can be compared with, so most streams need not read an event that isn't theirs. */
export type EventKey = Pick<NamedEvent, "type" | "authorizationId" | "projectGrantId"> & {
  readonly userId: string;
  readonly projectId: string;
  readonly organizationId: string;
  /** Null for the command line and for an end. */
  readonly actorId: string | null;
};

/** What is visible now, and what became visible since an earlier moment. */
export type Look = {
  readonly moment: Moment;
  /** Undefined if there is nothing. */
  readonly span: Span | undefined;
  /** Undefined if there are more than a thousand. */
  readonly events: readonly EventKey[] | undefined;
};

/**
 * The events of authorizations as they become visible on the primary. Anyone who has a position from another source, or one
 * from before events that were archived unsent, gets RESUME_TOKEN_EXPIRED. All may throw DATABASE_UNAVAILABLE and OVERLOADED.
 */
export type AuthorizationFeed = {
  /** @param since if undefined, only the moment is read */
  look(since: Moment | undefined, signal: AbortSignal): Promise<Look>;
  /** Which events became visible between two moments, or until one; undefined if none. */
  span(since: Moment | undefined, until: Moment, signal: AbortSignal): Promise<Span | undefined>;
  /** Reads the next of them that match and that the caller sees, which may be none, and where it ended. */
  read(
    caller: Caller,
    filters: readonly EventFilter[],
    position: SendingPosition,
    signal: AbortSignal,
  ): Promise<{ readonly events: readonly NamedEvent[]; readonly position: FeedPosition }>;
};
