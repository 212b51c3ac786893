import type { DirectoryCall, Operation, StoredEvent, Violation } from "../operation.ts";
import { rightsOf } from "../world.ts";
import { describeEvent, describeOperation } from "./describe.ts";

/** Which call made which event, and what does not fit. */
export type Makers = {
  /** The events of cascades have none: the directory answers nothing about them. */
  readonly timesOf: ReadonlyMap<StoredEvent, Times>;
  readonly eventOf: ReadonlyMap<Operation, StoredEvent>;
  readonly violations: readonly Violation[];
};

/** When an event was made: by a call that began no earlier, and it was there for everybody when the latter had come. */
export type Times = { readonly start: number; readonly end: number };

/**
 * Every event was asked for by exactly one call, and every acknowledged write is told by an event with its date: one of
 * its own, or when it changed nothing the last one before. An event nobody asked for is a ghost.
 */
export function findMakers(
  operations: readonly Operation[],
  directory: readonly DirectoryCall[],
  events: readonly StoredEvent[],
): Makers {
  const timesOf = new Map<StoredEvent, Times>();
  const eventOf = new Map<Operation, StoredEvent>();
  const violations: Violation[] = [];
  const writes = operations.filter(({ request }) => request.kind !== "read").sort((a, b) => a.start - b.start);
  const answered = groupBy(writes, (write) => answeredEvent(write));
  const unheard = groupBy(writes, (write) => (write.outcome.kind === "unknown" ? wantOf(write) : undefined));
  const firstUnheard = new Map([...unheard].map(([want, [first]]) => [want, first?.start ?? Infinity]));
  const known = new Set(events.map((event) => `${event.id} ${event.date}`));
  const cascades = directory.some(({ outcome }) => outcome.kind === "applied" || outcome.kind === "unknown");

  for (const event of events) {
    if (event.type.startsWith("user.grant.cascade.") && cascades) continue;
    const dated = answered.get(`${event.id} ${event.date}`) ?? [];
    // One of those that were answered this date and wanted this change, unless they all found it done by one that was
    // not answered.
    const found = dated.find((write) => wantsOf(write).includes(wanted(event))) ?? unheard.get(wanted(event))?.shift();
    if (found === undefined) {
      violations.push({ what: "an event that nobody asked for", details: [describeEvent(event)] });
      continue;
    }
    const end = Math.min(...dated.map((write) => write.end), found.end);
    timesOf.set(event, { start: Math.min(found.start, firstUnheard.get(wanted(event)) ?? Infinity), end });
    eventOf.set(found, event);
  }
  for (const [dated, [first]] of answered) {
    if (known.has(dated) || first === undefined) continue;
    violations.push({ what: "an acknowledged write of which there is no event", details: [describeOperation(first)] });
  }
  return { timesOf, eventOf, violations };
}

/** The id and date a write was answered. */
function answeredEvent({ request, outcome }: Operation): string | undefined {
  if (outcome.kind !== "done" || request.kind === "read") return undefined;
  return `${request.kind === "create" ? outcome.id : request.id} ${outcome.date}`;
}

/** What an event tells of the call that made it, written as `wantOf` writes what a call asked for. */
export function wanted({ type, actor, id, key, roles }: StoredEvent): string {
  if (type === "user.grant.added") return `${actor} create ${key} ${roles}`;
  if (type === "user.grant.changed") return `${actor} update ${id} ${roles}`;
  const kind = { removed: "delete", deactivated: "deactivate", reactivated: "activate" }[type.slice(11)] ?? type;
  return `${actor} ${kind} ${id}`;
}

export function wantOf({ client, on, request }: Operation): string {
  if (request.kind === "create") return `${client} create ${on.key} ${request.roles}`;
  if (request.kind === "update") return `${client} update ${request.id} ${request.roles}`;
  return `${client} ${request.kind} ${request.id}`;
}

/** Nothing, for a caller without the right. */
function wantsOf(write: Operation): string[] {
  const rights = rightsOf(write.client, write.on);
  return (write.request.kind === "delete" ? rights.delete : rights.write) ? [wantOf(write)] : [];
}

export function groupBy<T>(values: Iterable<T>, keyOf: (value: T) => string | undefined): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}
