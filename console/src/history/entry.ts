import type { AuthorizationEvent, PaginationResponse } from "@authorization-service/client";
import type { DirectoryEvent } from "@authorization-service/client/directory";
import type { Timestamp } from "@bufbuild/protobuf/wkt";

/** An event of either history. */
export type Entry = AuthorizationEvent | DirectoryEvent;

/** No one ends an assignment whose time has come. */
export function hasActor(entry: Entry): boolean {
  return !(isOfAssignment(entry) && entry.type === "user.grant.expired");
}

export function isOfAssignment(entry: Entry): entry is AuthorizationEvent {
  return "authorizationId" in entry;
}

/** Where an event is in the order of both histories. No two events are at the same place. */
export type Position = {
  readonly microseconds: bigint;
  readonly of: "assignment" | "directory";
  readonly sequence: bigint;
};

export function positionOf(entry: Entry): Position {
  const of = isOfAssignment(entry) ? "assignment" : "directory";
  return { microseconds: microsecondsOf(entry.time), of, sequence: entry.sequence };
}

/** Identifies an event among those of both histories. */
export function keyOf(entry: Entry): string {
  return `${positionOf(entry).of} ${entry.sequence}`;
}

/**
 * Whether a position comes later in the list: newest first. At the same time, assignments follow what happened to the
 * directory, so they come first, and each history has its own order by sequence.
 */
export function isBehind(one: Position, other: Position): boolean {
  if (one.microseconds !== other.microseconds) return one.microseconds < other.microseconds;
  if (one.of !== other.of) return one.of === "directory";
  return one.sequence < other.sequence;
}

/** A position as a parameter of an address, such as `1764021845123456a42`. */
export function written({ microseconds, of, sequence }: Position): string {
  return `${microseconds}${of === "assignment" ? "a" : "d"}${sequence}`;
}

/** Reads a parameter of an address. Undefined if it is no position. */
export function readPosition(text: string): Position | undefined {
  const [, microseconds, of, sequence] = /^(-?\d{1,18})([ad])(\d{1,20})$/.exec(text) ?? [];
  if (microseconds === undefined || sequence === undefined) return undefined;
  return {
    microseconds: BigInt(microseconds),
    of: of === "a" ? "assignment" : "directory",
    sequence: BigInt(sequence),
  };
}

/** The first moment that is too late for a position and everything behind it. */
export function momentAfter({ microseconds }: Position): Timestamp {
  const late = microseconds + 1n;
  const rest = ((late % million) + million) % million;
  return {
    $typeName: "google.protobuf.Timestamp",
    seconds: (late - rest) / million,
    nanos: Number(rest) * 1_000,
  };
}

function microsecondsOf(time: Timestamp | undefined): bigint {
  return time === undefined ? 0n : time.seconds * million + BigInt(Math.trunc(time.nanos / 1_000));
}

const million = 1_000_000n;

/** The service counts events up to this number. A larger total says only that there are more. */
const mostCounted = 10_000;

/** How many events a list has; infinite if the service didn't count them all. */
export function totalOfEvents(pagination: Pick<PaginationResponse, "totalResult"> | undefined): number {
  const total = pagination?.totalResult ?? 0;
  return total > mostCounted ? Number.POSITIVE_INFINITY : total;
}
