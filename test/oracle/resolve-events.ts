import { finerThan, printDate } from "./model/dates.ts";
import type { DirectoryEventFilter, ListDirectoryEventsRequest } from "./model/list-directory-events.ts";
import { type EventFilter, type ListEventsRequest, seesEvent } from "./model/list-events.ts";
import { seesDirectoryEvent } from "./model/removals.ts";
import { keptEvents, type World } from "./model/world.ts";
import { withFilters } from "./with-filters.ts";

/** A filter as it is, or one that an event suggests: the one at this place among those the caller sees, or among all. */
export type Planned<Filter> = Filter | { near: number; kind: string; seen: boolean; finer: boolean };

export type PlannedListEvents = Omit<ListEventsRequest, "filters"> & { filters: Planned<EventFilter>[] };

export const eventTypes = ["added", "changed", "deactivated", "reactivated", "removed", "expired"]
  .concat(["cascade.changed", "cascade.removed"])
  .map((type) => `user.grant.${type}`);

const idKinds = ["authorizationId", "userId", "projectId", "organizationId", "actorId"] as const;
export const eventFilterKinds = [...idKinds, "types", "from", "to", "at"];

/** From events the caller may see, so that filters often match some and not all. */
export const listEventsRequestOf = withFilters(filterOf);

function filterOf(world: World, callerId: string, filter: Planned<EventFilter>): EventFilter {
  if (!("near" in filter)) return filter;
  const { near, kind, seen, finer } = filter;
  const events = keptEvents(world).filter((event) => !seen || seesEvent(world, callerId, event));
  const event = events[near % events.length];
  const id = idKinds.find((each) => each === kind);
  if (id !== undefined) return { [id]: { id: event?.[id] ?? "" } };
  if (kind === "types")
    return { types: { types: [...new Set([event?.type ?? "", eventTypes[near % 8] ?? ""])].filter(Boolean) } };
  const time = event?.time ?? 0n;
  const [date, next] = [time, time + 1n].map((each) => (finer ? finerThan(printDate(each)) : printDate(each)));
  if (kind === "from") return { time: { from: date ?? "" } };
  return { time: kind === "to" ? { to: date ?? "" } : { from: date ?? "", to: next ?? "" } };
}

export type PlannedListDirectoryEvents = Omit<ListDirectoryEventsRequest, "filters"> & {
  filters: Planned<DirectoryEventFilter>[];
};

export const thingKinds = ["organization", "user", "project", "projectRole", "projectGrant", "administrator", "token"];
export const directoryFilterKinds = ["id", "userId", "actorId", "organizationId", "projectId", "kinds", "from", "to"];

export const listDirectoryEventsRequestOf = withFilters(directoryFilterOf);

function directoryFilterOf(
  world: World,
  callerId: string,
  filter: Planned<DirectoryEventFilter>,
): DirectoryEventFilter {
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
