import { printDate } from "./model/dates.ts";
import type { DirectoryEventFilter, ListDirectoryEventsRequest } from "./model/list-directory-events.ts";
import { seesDirectoryEvent } from "./model/removals.ts";
import type { World } from "./model/world.ts";
import { finerThan } from "./resolve-events.ts";

/** A filter as it is, or one that an event suggests: the one at this place among those the caller sees, or among all. */
export type PlannedDirectoryEventFilter =
  | DirectoryEventFilter
  | { near: number; kind: string; seen: boolean; finer: boolean };

export type PlannedListDirectoryEvents = Omit<ListDirectoryEventsRequest, "filters"> & {
  filters: PlannedDirectoryEventFilter[];
};

export const thingKinds = ["organization", "user", "project", "projectRole", "projectGrant", "administrator", "token"];
export const directoryFilterKinds = ["id", "userId", "actorId", "organizationId", "projectId", "kinds", "from", "to"];

/** Makes the filters of a list from events the caller may see, so that they often match some and not all. */
export function listDirectoryEventsRequestOf(
  world: World,
  callerId: string,
  { filters, ...rest }: PlannedListDirectoryEvents,
): ListDirectoryEventsRequest {
  return { ...rest, filters: filters.map((filter) => filterOf(world, callerId, filter)) };
}

function filterOf(world: World, callerId: string, filter: PlannedDirectoryEventFilter): DirectoryEventFilter {
  if (!("near" in filter)) return filter;
  const { near, kind, seen, finer } = filter;
  const events = world.directoryEvents
    .slice(world.kept.directoryEvents)
    .filter((event) => !seen || seesDirectoryEvent(world, callerId, event));
  const event = events[near % events.length];
  switch (kind) {
    case "id":
    case "userId":
    case "actorId":
      return { [kind]: { id: event?.[kind] ?? "" } };
    case "organizationId":
    case "projectId": {
      const place = event?.places.findLast((one) => one.startsWith(kind.replace("Id", ":")));
      return { [kind]: { id: place?.slice(place.indexOf(":") + 1) ?? "" } };
    }
    case "kinds":
      return { kinds: { kinds: [...new Set([event?.kind ?? "", thingKinds[near % 7] ?? ""])].filter(Boolean) } };
    default: {
      const date = printDate(event?.time ?? 0n);
      return { time: { [kind]: finer ? finerThan(date) : date } };
    }
  }
}
