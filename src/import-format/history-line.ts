import { fromJsonString } from "@bufbuild/protobuf";
import { StructSchema } from "@bufbuild/protobuf/wkt";
import { type EventType, eventTypes } from "../authorization/event.ts";
import type { HistoryLine } from "../directory/history-line.ts";
import { readDirectoryEvent } from "./directory-event-line.ts";
import {
  type Fields,
  id,
  lastSequence,
  oneOf,
  orNull,
  type Rule,
  requireFields,
  roleKeys,
  sequence,
  textOf,
  time,
  uuid,
} from "./line-rules.ts";

/**
 * Reads a line about the history (docs/reference/import-format.md). Undefined for any other line. Throws an error whose
 * message says what is wrong with it.
 */
export function readHistoryLine(json: string): HistoryLine | undefined {
  const [, found] = /^\s*\{\s*"(event|directoryEvent|removedThing)"\s*:/.exec(json) ?? [];
  if (found === undefined) return undefined;
  const kind = found as HistoryLine["kind"];
  const line = parse(json);
  const [, other] = Object.keys(line);
  if (other !== undefined) throw new Error(`${kind} must be the only field of its line`);
  return { kind, json: JSON.stringify(read[kind](line[kind])) };
}

/** JSON.parse ignores that a name occurs twice. No line that an export wrote needs the second look. */
function parse(json: string): Fields {
  const line = JSON.parse(json);
  if (JSON.stringify(line) !== json) fromJsonString(StructSchema, json);
  return line;
}

const read: Readonly<Record<HistoryLine["kind"], (value: unknown) => Fields>> = {
  event: readEvent,
  directoryEvent: readDirectoryEvent,
  removedThing(value) {
    requireFields("removedThing", value, removedThing);
    return value;
  },
};

const state = orNull(oneOf(["active", "inactive"]));

const event: Readonly<Record<string, Rule>> = {
  sequence,
  time,
  type: oneOf(eventTypes),
  actorId: orNull(id),
  authorizationId: id,
  userId: id,
  projectId: id,
  organizationId: id,
  projectGrantId: (value) => (value === "" ? undefined : id(value)),
  roleKeys,
  state,
  creationDate: orNull(time),
  roleKeysBefore: roleKeys,
  stateBefore: state,
  creationDateBefore: orNull(time),
  projectIdBefore: orNull(id),
  organizationIdBefore: orNull(id),
  requestId: uuid,
  reason: textOf(0, 500),
};

const removedThing: Readonly<Record<string, Rule>> = {
  kind: oneOf(["organization", "user", "project", "projectGrant"]),
  id,
  organizationId: id,
  lastEvent: lastSequence,
  lastDirectoryEvent: lastSequence,
};

function readEvent(value: unknown): Fields {
  requireFields("event", value, event);
  requireStates(value);
  requirePlaceBefore(value);
  return value;
}

/** What an assignment was before and after an event follows from its type (migrations/0004_events.sql). */
function requireStates(value: Fields): void {
  const type = value.type as EventType;
  const isRemoval = type === "user.grant.removed" || type === "user.grant.cascade.removed";
  const isEmpty = (keys: unknown) => (keys as readonly string[]).length === 0;
  if (!agree(isRemoval, value.state === null, value.creationDate === null)) {
    throw new Error("event.state and event.creationDate must be null for a removal, and only then");
  }
  if (!agree(value.stateBefore === null, value.creationDateBefore === null)) {
    throw new Error("event.stateBefore and event.creationDateBefore must both be null, or neither");
  }
  if (value.stateBefore === null && type !== "user.grant.added") {
    throw new Error("event.stateBefore may be null only if the assignment was added");
  }
  if (isRemoval && !isEmpty(value.roleKeys)) throw new Error("event.roleKeys must be empty for a removal");
  if (value.stateBefore === null && !isEmpty(value.roleKeysBefore)) {
    throw new Error("event.roleKeysBefore must be empty if event.stateBefore is null");
  }
  const [before, after] = switched[type] ?? [];
  if (before !== undefined && (value.stateBefore !== before || value.state !== after)) {
    throw new Error(`event.stateBefore must be ${before}, and event.state ${after}, for ${type}`);
  }
}

const switched: Readonly<Partial<Record<EventType, readonly [before: string, after: string]>>> = {
  "user.grant.deactivated": ["active", "inactive"],
  "user.grant.reactivated": ["inactive", "active"],
};

/** Only an assignment that was removed and added in one change can have been elsewhere. */
function requirePlaceBefore(value: Fields): void {
  if (!agree(value.projectIdBefore === null, value.organizationIdBefore === null)) {
    throw new Error("event.projectIdBefore and event.organizationIdBefore must both be null, or neither");
  }
  if (value.projectIdBefore !== null && (value.type !== "user.grant.added" || value.stateBefore === null)) {
    throw new Error("event.projectIdBefore must be null unless the assignment was removed and added");
  }
}

function agree(...values: boolean[]): boolean {
  return values.every((value) => value === values[0]);
}
