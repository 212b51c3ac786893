import { type AuthorizationEvent, State } from "@authorization-service/client";
import type { DirectoryEvent, DirectoryThing } from "@authorization-service/client/directory";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { directoryHistoryWords } from "../words/directory-history.ts";
import { historyWords } from "../words/history.ts";
import { type Entry, isOfAssignment } from "./entry.ts";
import type { EventType } from "./search.ts";

export type Field = keyof typeof directoryHistoryWords.fields;

/** A value of a field: a text, or something that is shown by its name. */
export type Value =
  | { readonly kind: "text"; readonly text: string }
  /** Roles of a project, or names of administrator roles. */
  | { readonly kind: "roles"; readonly projectId: string | undefined; readonly keys: readonly string[] }
  | { readonly kind: "user" | "organization" | "project"; readonly id: string }
  | { readonly kind: "instance" | "grant" }
  | { readonly kind: "moment"; readonly at: Timestamp };

export type Difference = {
  readonly field: Field;
  readonly before: Value | undefined;
  readonly after: Value | undefined;
};

/** What happened: 0 added, 1 changed, 2 removed. */
export type Effect = 0 | 1 | 2;

/** What an event of either history changed. */
export type Change = {
  /** What happened, such as "Person added". Empty for a kind of thing that this console doesn't know. */
  readonly title: string;
  readonly effect: Effect;
  /** The fields that differ. Of an assignment, and of an added or removed thing, everything that it has. */
  readonly differences: readonly Difference[];
  /** Fields that the title says already. */
  readonly said: readonly Field[];
  /** Where the thing is, or was before it was removed. */
  readonly places: Places;
};

/** The ids of what it is in, or about. */
export type Places = { readonly user?: string; readonly project?: string; readonly organization?: string };

export function changeOf(entry: Entry): Change {
  return isOfAssignment(entry) ? ofAssignment(entry) : ofDirectory(entry);
}

function ofAssignment(event: AuthorizationEvent): Change {
  const { user, project, organization, roles, roleKeysBefore, state, stateBefore } = event;
  const type = typeOf(event);
  const effect = type === "added" ? 0 : type === "removed" || type === "cascade.removed" ? 2 : 1;
  const valuesWith = (keys: readonly string[], state: State, end: Timestamp | undefined): Values => ({
    roles: { kind: "roles", projectId: project?.id ?? "", keys },
    state: state === State.UNSPECIFIED ? undefined : text(historyWords.states[state === State.ACTIVE ? 0 : 1]),
    expirationDate: end && { kind: "moment", at: end },
  });
  const keys = roles.map(({ key }) => key);
  const differences = differencesOf(
    effect === 0 ? {} : valuesWith(roleKeysBefore, stateBefore, event.expirationDateBefore),
    effect === 2 ? {} : valuesWith(keys, state, event.expirationDate),
  );
  const isChange = type === "changed" || type === "cascade.changed";
  // Some events don't have the state before.
  const saysState = effect === 0 ? state === State.ACTIVE : !isChange || stateBefore === State.UNSPECIFIED;
  return {
    title: type === undefined ? event.type : titleOf(type, differences),
    effect,
    differences,
    said: saysState ? ["state"] : [],
    places: {
      ...(user && { user: user.id }),
      ...(project && { project: project.id }),
      ...(organization && { organization: organization.id }),
    },
  };
}

/** Undefined for a type that this console doesn't know, which stays as it is. */
function typeOf({ type }: AuthorizationEvent): EventType | undefined {
  const name = type.replace(/^user\.grant\./, "");
  return Object.hasOwn(historyWords.types, name) ? (name as EventType) : undefined;
}

function titleOf(type: EventType, differences: readonly Difference[]): string {
  const isEndAlone =
    differences.some(({ field, before, after }) => field === "expirationDate" && !isSame(before, after)) &&
    differences.every(({ before, after }) => onlyIn(before, after).length + onlyIn(after, before).length === 0);
  return type === "changed" && isEndAlone ? historyWords.change.endChanged : historyWords.types[type];
}

function ofDirectory({ before, after }: DirectoryEvent): Change {
  const isChange = before !== undefined && after !== undefined;
  const effect = before === undefined ? 0 : after === undefined ? 2 : 1;
  const kind = (after ?? before)?.thing.case;
  return {
    title: kind === undefined ? "" : directoryHistoryWords.titles[kind][effect],
    effect,
    differences: differencesOf(withoutEmpty(fieldsOf(before)), withoutEmpty(fieldsOf(after)))
      // What identifies a thing stays, so people see what changed.
      .filter((one) => !isChange || identifying.has(one.field) || !isSame(one.before, one.after)),
    said: [],
    places: placesOf(after ?? before),
  };
}

type Values = Partial<Record<Field, Value | undefined>>;

function differencesOf(was: Values, is: Values): Difference[] {
  const fields = [...new Set([...Object.keys(was), ...Object.keys(is)])] as Field[];
  return fields
    .map((field) => ({ field, before: was[field], after: is[field] }))
    .filter(({ before, after }) => before !== undefined || after !== undefined);
}

function placesOf(held: DirectoryThing | undefined): Places {
  const { userId, projectId, organizationId, scope } = fieldsOf(held);
  const named = [userId, projectId, organizationId, scope].filter((value) => value !== undefined && "id" in value);
  return Object.fromEntries(named.map((value) => [value.kind, value.id]));
}

const identifying: ReadonlySet<Field> = new Set<Field>(["displayName", "name", "key", "userId", "scope", "projectId"]);

function withoutEmpty(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && !isEmpty(value)));
}

/** How each field of a thing is shown, in this order. Those that aren't here are not. */
const readers: { readonly [Name in Field]?: (value: never, thing: { readonly projectId?: string }) => Value } = {
  displayName: text,
  name: text,
  preferredLoginName: text,
  key: text,
  group: text,
  userId: (id) => ({ kind: "user", id }),
  projectId: (id) => ({ kind: "project", id }),
  organizationId: (id) => ({ kind: "organization", id }),
  avatarUrl: text,
  roleKeys: rolesOf,
  roles: rolesOf,
  scope: scopeOf,
  expirationDate: (at) => ({ kind: "moment", at }),
};

function fieldsOf(held: DirectoryThing | undefined): Values {
  const thing = (held?.thing.value ?? {}) as { readonly [name: string]: never };
  const known = Object.entries(readers).filter(([field]) => thing[field] !== undefined);
  return Object.fromEntries(known.map(([field, read]) => [field, read(thing[field] as never, thing)]));
}

function rolesOf(keys: readonly string[], { projectId }: { readonly projectId?: string }): Value {
  return { kind: "roles", projectId, keys };
}

type Scope = Extract<DirectoryThing["thing"], { case: "administrator" }>["value"]["scope"];

function scopeOf({ case: kind, value }: Scope): Value {
  if (kind === "organizationId") return { kind: "organization", id: value };
  if (kind === "projectId") return { kind: "project", id: value };
  return { kind: kind === "projectGrantId" ? "grant" : "instance" };
}

function text(value: string): Value {
  return { kind: "text", text: value };
}

function isEmpty(value: Value): boolean {
  return (value.kind === "text" && value.text === "") || (value.kind === "roles" && value.keys.length === 0);
}

/** The keys that only the first of two values has. */
export function onlyIn(one: Value | undefined, other: Value | undefined): string[] {
  const others = new Set(other?.kind === "roles" ? other.keys : []);
  return one?.kind === "roles" ? one.keys.filter((key) => !others.has(key)) : [];
}

export function isSame(one: Value | undefined, other: Value | undefined): boolean {
  const written = (value: Value | undefined) =>
    value?.kind === "moment" ? `${value.at.seconds} ${value.at.nanos}` : JSON.stringify(value);
  return written(one) === written(other);
}
