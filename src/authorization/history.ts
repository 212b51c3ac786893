import type { Instant } from "./authorization.ts";
import type { EventType, NamedEvent } from "./event.ts";
import type { DateRange, Page, Paging } from "./list.ts";
import type { Caller } from "./permissions.ts";

/**
 * The history of authorizations.
 *
 * A caller sees the events of its own authorizations, and events where it holds `user.grant.read` today in the place of
 * the event. An entry on a project counts in the organization that owns the project today. An entry on a grant counts
 * if the grant is for the same project and organization today. Names are current, as far as the caller may see them
 * today. See docs/reference/history.md.
 */
export type AuthorizationHistory = History<EventFilter, NamedEvent>;

/** A history as callers see it. */
export type History<Filter, Event> = {
  /**
   * One page of the events that match and are visible, with the total from the same snapshot, which counts up to
   * `mostCounted`. When the signal aborts, the statement is cancelled inside the database. May throw DATABASE_UNAVAILABLE and OVERLOADED.
   */
  list(caller: Caller, query: HistoryQuery<Filter>, signal: AbortSignal): Promise<Page<Event, EventPosition>>;
};

/** One condition. docs/reference/history.md says what each one matches. */
export type EventFilter = HistoryFilter<"authorizationId" | "userId" | "projectId" | "organizationId", EventType>;

/** A condition of this history or that of the directory, by what can be compared with an id. An empty id matches nothing. */
export type HistoryFilter<Compared extends string, Type extends string> =
  | { readonly kind: Compared; readonly id: string }
  /** An empty id matches events from the command line. */
  | { readonly kind: "actorId"; readonly id: string }
  | { readonly kind: "types"; readonly types: readonly Type[] }
  /** An end may be later than any event. */
  | { readonly kind: "time"; readonly range: DateRange };

/** Which events to list, in which order, and which page. */
export type HistoryQuery<Filter> = Paging<EventPosition> & {
  /** All of them must match. */
  readonly filters: readonly Filter[];
  /** Oldest first; otherwise newest first. Events of the same time are sorted by sequence in the same direction. */
  readonly ascending: boolean;
};

/** A position in the order of events. */
export type EventPosition = { readonly time: Instant; readonly sequence: string };

/** Matching events are counted up to this number. It stands for all larger ones. */
export const mostCounted = 10_001;
