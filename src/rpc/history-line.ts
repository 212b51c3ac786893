import { eventTypes } from "../authorization/event.ts";
import { thingKinds } from "../directory/history.ts";
import type { HistoryLine } from "../directory/history-line.ts";
import { readTime } from "./read-time.ts";

/**
 * Reads a line about the history (docs/reference/import-format.md). Undefined for any other line. Throws an error whose
 * message says what is wrong with it.
 */
export function readHistoryLine(json: string): HistoryLine | undefined {
  const [, kind] = /^\s*\{\s*"(event|directoryEvent|removedThing)"\s*:/.exec(json) ?? [];
  if (kind === undefined) return undefined;
  const { [kind]: value, ...others } = JSON.parse(json);
  if (Object.keys(others).length > 0) throw new Error(`${kind} must be the only field of its line`);
  requireFields(kind, value, fields[kind as HistoryLine["kind"]]);
  if (kind === "event") requireStates(value);
  return { kind: kind as HistoryLine["kind"], json: JSON.stringify(value) };
}

/** Says what is wrong with a value, or nothing. */
type Rule = (value: unknown) => string | undefined;

const text: Rule = (value) =>
  typeof value === "string" && !value.includes("\u0000") && value.isWellFormed() ? undefined : "must be a text";
const id: Rule = (value) =>
  text(value) ?? (value !== "" && [...(value as string)].length <= 200 ? undefined : "must have 1 to 200 characters");
const shortText: Rule = (value) =>
  text(value) ?? ([...(value as string)].length <= 500 ? undefined : "must have at most 500 characters");
const time: Rule = (value) =>
  typeof value === "string" && value.endsWith("Z") && readTime(value) !== undefined && isDay(value.slice(0, 10))
    ? undefined
    : "must be a time such as 2026-01-31T08:00:00Z";
const isDay = (day: string) => new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
const number: Rule = (value) =>
  typeof value === "string" && /^(0|[1-9]\d{0,17})$/.test(value) ? undefined : "must be a number in quotes";
const sequence: Rule = (value) =>
  typeof value === "string" && /^\d{4}(0[1-9]|1[0-2])\d{10}$/.test(value)
    ? undefined
    : "must be a year, a month and ten more digits, in quotes";
const uuid: Rule = (value) =>
  typeof value === "string" && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(value) ? undefined : "must be a UUID";
const image: Rule = (value) =>
  typeof value === "object" && !Array.isArray(value) && hasOnlyTexts(value) ? undefined : "must be an object or null";
/** Whether Postgres can store all of its texts. */
const hasOnlyTexts = (value: object | null) => {
  let all = true;
  JSON.stringify(value, (name, one) => {
    if (text(name) !== undefined || (typeof one === "string" && text(one) !== undefined)) all = false;
    return one;
  });
  return all;
};

function orNull(rule: Rule): Rule {
  return (value) => (value === null ? undefined : rule(value));
}

function oneOf(names: readonly string[]): Rule {
  return (value) => (names.some((name) => name === value) ? undefined : `must be one of ${names.join(", ")}`);
}

function list(rule: Rule): Rule {
  return (value) => (Array.isArray(value) ? value.map(rule).find((wrong) => wrong !== undefined) : "must be a list");
}

const places: Rule = (value) => {
  if (!Array.isArray(value)) return "must be a list";
  for (const place of value) {
    requireFields("places", place, { kind: oneOf(["organization", "project", "projectGrant"]), id });
  }
  return undefined;
};

const state = orNull(oneOf(["active", "inactive"]));

const fields: Readonly<Record<HistoryLine["kind"], Readonly<Record<string, Rule>>>> = {
  event: {
    sequence,
    time,
    type: oneOf(eventTypes),
    actorId: orNull(id),
    authorizationId: id,
    userId: id,
    projectId: id,
    organizationId: id,
    projectGrantId: text,
    roleKeys: list(text),
    state,
    creationDate: orNull(time),
    roleKeysBefore: list(text),
    stateBefore: state,
    creationDateBefore: orNull(time),
    projectIdBefore: orNull(id),
    organizationIdBefore: orNull(id),
    requestId: uuid,
    reason: shortText,
  },
  directoryEvent: {
    sequence,
    time,
    kind: oneOf(thingKinds),
    id: text,
    within: text,
    userId: orNull(id),
    actorId: orNull(id),
    requestId: uuid,
    reason: shortText,
    before: image,
    after: image,
    places,
  },
  removedThing: {
    kind: oneOf(["organization", "user", "project", "projectGrant"]),
    id,
    organizationId: id,
    lastEvent: number,
    lastDirectoryEvent: number,
  },
};

function requireFields(what: string, value: unknown, rules: Readonly<Record<string, Rule>>): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(`${what} must be an object`);
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(rules, name));
  if (unknown !== undefined) throw new Error(`${what} has no field ${unknown}`);
  for (const [name, rule] of Object.entries(rules)) {
    if (!(name in value)) throw new Error(`${what}.${name} is missing`);
    const wrong = rule((value as Record<string, unknown>)[name]);
    if (wrong !== undefined) throw new Error(`${what}.${name} ${wrong}`);
  }
}

/** What is there after and before an event follows from its type (migrations/0004_events.sql). */
function requireStates(event: Readonly<Record<string, unknown>>): void {
  const isRemoval = event.type === "user.grant.removed" || event.type === "user.grant.cascade.removed";
  const agree = (...values: boolean[]) => values.every((value) => value === values[0]);
  if (!agree(isRemoval, event.state === null, event.creationDate === null)) {
    throw new Error("event.state and event.creationDate must be null for a removal, and only then");
  }
  if (!agree(event.stateBefore === null, event.creationDateBefore === null)) {
    throw new Error("event.stateBefore and event.creationDateBefore must both be null, or neither");
  }
  if (event.stateBefore === null && event.type !== "user.grant.added") {
    throw new Error("event.stateBefore may be null only if the assignment was added");
  }
  if (!agree(event.projectIdBefore === null, event.organizationIdBefore === null)) {
    throw new Error("event.projectIdBefore and event.organizationIdBefore must both be null, or neither");
  }
}
