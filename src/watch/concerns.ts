import type { EventKey } from "../authorization/feed.ts";
import type { EventFilter } from "../authorization/history.ts";
import { type Caller, type Scope, type Visibility, visibilityOf } from "../authorization/permissions.ts";

/** Whether a caller could see one of these events that match. Postgres decides: this only spares it most questions. */
export function couldConcern(
  caller: Caller,
  filters: readonly EventFilter[],
): (events: readonly EventKey[] | undefined) => boolean {
  const visibility = visibilityOf(caller);
  return (events) =>
    events === undefined ||
    events.some((event) => isInReach(visibility, event) && filters.every((filter) => couldMatch(filter, event)));
}

function isInReach({ userId, scopes }: Visibility, event: EventKey): boolean {
  return event.userId === userId || scopes.some((scope) => couldReach(scope, event));
}

/** Ignores that a scope may have moved, or may be newer than the event. */
function couldReach({ kind, id }: Scope, event: EventKey): boolean {
  return kind === "instance" || event[`${kind}Id`] === id;
}

function couldMatch(filter: EventFilter, event: EventKey): boolean {
  switch (filter.kind) {
    case "types":
      return filter.types.includes(event.type);
    case "time":
      return true;
    case "actorId":
      return filter.id === (event.actorId ?? "");
    default:
      return filter.id === event[filter.kind];
  }
}
