import { printDate } from "./model/dates.ts";
import { type EventFilter, type ListEventsRequest, seesEvent } from "./model/list-events.ts";
import { keptEvents, type World } from "./model/world.ts";

/** A filter as it is, or one that an event suggests: the one at this place among those the caller sees, or among all. */
export type PlannedEventFilter = EventFilter | { near: number; kind: string; seen: boolean; finer: boolean };

export type PlannedListEvents = Omit<ListEventsRequest, "filters"> & { filters: PlannedEventFilter[] };

export const eventTypes = ["added", "changed", "deactivated", "reactivated", "removed", "expired"]
  .concat(["cascade.changed", "cascade.removed"])
  .map((type) => `user.grant.${type}`);

const idKinds = ["authorizationId", "userId", "projectId", "organizationId", "actorId"] as const;
export const eventFilterKinds = [...idKinds, "types", "from", "to", "at"];

/** Makes the filters of a list from events the caller may see, so that they often match some and not all. */
export function listEventsRequestOf(
  world: World,
  callerId: string,
  { filters, ...rest }: PlannedListEvents,
): ListEventsRequest {
  return { ...rest, filters: filters.map((filter) => filterOf(world, callerId, filter)) };
}

function filterOf(world: World, callerId: string, filter: PlannedEventFilter): EventFilter {
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

/** A nanosecond later. */
export function finerThan(date: string): string {
  const [seconds, fraction = ""] = date.slice(0, -1).split(".");
  return `${seconds}.${fraction.padEnd(6, "0")}001Z`;
}
