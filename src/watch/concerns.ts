import type { EventKey } from "../authorization/feed.ts";
import type { EventFilter } from "../authorization/history.ts";
import { type Caller, placesWith } from "../authorization/permissions.ts";

/** Whether a caller could see one of these events that match. Postgres decides: this only spares it most questions. */
export function couldConcern(
  caller: Caller,
  filters: readonly EventFilter[],
): (events: readonly EventKey[] | undefined) => boolean {
  // Ignores that a scope may be newer than the event.
  const mayRead = placesWith(caller, "user.grant.read");
  const isInReach = (event: EventKey) => event.userId === caller.userId || mayRead(event);
  return (events) =>
    events === undefined ||
    events.some((event) => isInReach(event) && filters.every((filter) => couldMatch(filter, event)));
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
