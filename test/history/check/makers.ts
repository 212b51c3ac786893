import type { DirectoryCall, Operation, StoredEvent, Violation } from "../operation.ts";
import { rightsOf } from "../world.ts";
import { describeEvent, describeOperation } from "./describe.ts";

/** When an event was made: by a call that began no earlier, and it was there for everybody when the latter had come. */
export type Times = { readonly start: number; readonly end: number };

/**
 * Which call made which event, and what does not fit. Every event was asked for by exactly one call, which its reason
 * tells, and every acknowledged write is told by an event with its date: one of its own, or when it changed nothing the
 * last one before. An event nobody asked for is a ghost.
 */
export function findMakers(
  operations: readonly Operation[],
  directory: readonly DirectoryCall[],
  events: readonly StoredEvent[],
) {
  /** The events of cascades have none: the directory answers nothing about them. */
  const timesOf = new Map<StoredEvent, Times>();
  const eventOf = new Map<Operation, StoredEvent>();
  const violations: Violation[] = [];
  const writes = operations.filter(({ request }) => request.kind !== "read").sort((a, b) => a.start - b.start);
  const answered = Map.groupBy(writes, answeredEvent);
  const asked = Map.groupBy(writes, ({ reason }) => reason);
  const known = new Set(events.map(dated));
  const cascades = directory.some(({ outcome }) => outcome.kind === "applied" || outcome.kind === "unknown");

  for (const event of events) {
    if (event.type === "user.grant.expired") continue;
    if (event.type.startsWith("user.grant.cascade.") && cascades) continue;
    const found = (asked.get(event.reason) ?? []).find((write) => !eventOf.has(write) && couldMake(write, event));
    if (found === undefined) {
      violations.push({ what: "an event that nobody asked for", details: [describeEvent(event)] });
      continue;
    }
    const ends = (answered.get(dated(event)) ?? []).map((write) => write.end);
    timesOf.set(event, { start: found.start, end: Math.min(...ends, found.end) });
    eventOf.set(found, event);
  }
  for (const [dated, [first]] of answered) {
    if (dated === undefined || known.has(dated) || first === undefined) continue;
    violations.push({ what: "an acknowledged write of which there is no event", details: [describeOperation(first)] });
  }
  return { timesOf, eventOf, violations };
}

function dated({ id, date }: StoredEvent): string {
  return `${id} ${date}`;
}

/** The id and date a write was answered. */
function answeredEvent({ request, outcome }: Operation): string | undefined {
  if (outcome.kind !== "done" || request.kind === "read") return undefined;
  return `${request.kind === "create" ? outcome.id : request.id} ${outcome.date}`;
}

/** Whether a call with its outcome, by a caller with the right, made what an event tells. */
function couldMake(write: Operation, event: StoredEvent): boolean {
  const { client, on, request, outcome } = write;
  const rights = rightsOf(client, on);
  if (event.actor !== client || !(request.kind === "delete" ? rights.delete : rights.write)) return false;
  if (outcome.kind !== "unknown" && answeredEvent(write) !== dated(event)) return false;
  const { expirationDate } = event;
  switch (request.kind) {
    case "create": {
      const isSo = event.key === on.key && event.roles === request.roles && expirationDate === request.expirationDate;
      return event.type === "user.grant.added" && isSo;
    }
    case "update": {
      const kept = request.expirationDate ?? event.expirationDateBefore;
      const isSo = event.roles === request.roles && expirationDate === (kept === "none" ? undefined : kept);
      return event.type === "user.grant.changed" && event.id === request.id && isSo;
    }
    case "read":
      return false;
    default: {
      const type = { delete: "removed", deactivate: "deactivated", activate: "reactivated" }[request.kind];
      return event.type === `user.grant.${type}` && event.id === request.id;
    }
  }
}
