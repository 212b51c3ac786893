import type { Instant } from "./authorization.ts";
import type { EventType, NamedEvent } from "./event.ts";
import type { DateRange } from "./list.ts";
import type { Caller } from "./permissions.ts";

/**
 * What became of authorizations.
 *
 * A caller sees the events of its own authorizations, and those of which it holds `user.grant.read` today where they
 * were: an entry on a project counts in the organization that owns the project today, and an entry on a grant when the
 * grant is for the same project and organization today. Names are those of today, as far as the caller may see them
 * today. See docs/reference/history.md.
 */
export type AuthorizationHistory = {
  /**
   * One page of what matches and is visible. The total and the page are of one moment. When the signal aborts, the
   * statement is cancelled inside the database. May throw DATABASE_UNAVAILABLE and OVERLOADED.
   */
  list(caller: Caller, query: EventQuery, signal: AbortSignal): Promise<EventPage>;
};

/** One condition; docs/reference/history.md says what each matches. An empty id matches nothing. */
export type EventFilter =
  | { readonly kind: "authorizationId" | "userId" | "projectId" | "organizationId"; readonly id: string }
  /** The empty id: what came from the command line. */
  | { readonly kind: "actorId"; readonly id: string }
  | { readonly kind: "types"; readonly types: readonly EventType[] }
  /** An end may be later than all there is. */
  | { readonly kind: "time"; readonly range: DateRange };

/** Which events, in which order, and which part of them. */
export type EventQuery = {
  /** Joined by AND. */
  readonly filters: readonly EventFilter[];
  /** Oldest first; otherwise newest first. Events of one time follow their sequence in the same direction. */
  readonly ascending: boolean;
  /** Where the page before ended; what is listed comes behind it. */
  readonly after?: EventPosition | undefined;
  /** How many to skip; may be past the end. */
  readonly offset: bigint;
  /** How many to answer at most. */
  readonly limit: number;
  /** Leaves the total out, for those who do not need it. */
  readonly skipTotal: boolean;
};

/** A place in the order of events. */
export type EventPosition = { readonly time: Instant; readonly sequence: string };

export type EventPage = {
  /** How many events match and are visible, whatever the position, offset and limit; 0 when it is left out. */
  readonly total: number;
  /** Whether anything comes behind the page. */
  readonly more: boolean;
  readonly events: readonly NamedEvent[];
};
