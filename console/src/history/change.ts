import { type AuthorizationEvent, State } from "@authorization-service/client";
import type { DirectoryEvent, DirectoryThing } from "@authorization-service/client/directory";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { directoryHistoryWords as words } from "../words/directory-history.ts";
import { historyWords } from "../words/history.ts";
import { type Entry, isOfAssignment } from "./entry.ts";
import type { EventType } from "./search.ts";

export type Field = keyof typeof words.fields;

/** A value of a field: a text, or something that is shown by its name. */
export type Value =
  | { readonly kind: "text"; readonly text: string }
  /** Roles of a project, or names of administrator roles. */
  | { readonly kind: "roles"; readonly projectId: string | undefined; readonly keys: readonly string[] }
  | { readonly kind: "user" | "organization" | "project"; readonly id: string }
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
  const { user, project, organization, state } = event;
  const type = typeOf(event);
  const effect = type === "added" ? 0 : type?.endsWith("removed") ? 2 : 1;
  const valuesOf = (keys: readonly string[], state: State, end: Timestamp | undefined): Values => ({
    roles: { kind: "roles", projectId: project?.id ?? "", keys },
    state: state === State.UNSPECIFIED ? undefined : text(historyWords.states[state === State.ACTIVE ? 0 : 1]),
    expirationDate: end && { kind: "moment", at: end },
  });
  const differences = differencesOf(
    // Some events don't have the state before.
    effect === 0 ? {} : valuesOf(event.roleKeysBefore, event.stateBefore || state, event.expirationDateBefore),
    effect === 2
      ? {}
      : valuesOf(
          event.roles.map(({ key }) => key),
          state,
          event.expirationDate,
        ),
  );
  const isNews = type === "changed" || type === "cascade.changed" || (effect === 0 && state === State.INACTIVE);
  const changed = differences.filter(isChanged).map(({ field }) => field);
  const isEndAlone = type === "changed" && changed.includes("expirationDate") && !changed.includes("roles");
  return {
    title: isEndAlone ? historyWords.change.endChanged : type === undefined ? event.type : historyWords.types[type],
    effect,
    differences,
    said: isNews ? [] : ["state"],
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

function ofDirectory({ before, after }: DirectoryEvent): Change {
  const effect = before === undefined ? 0 : after === undefined ? 2 : 1;
  const kind = (after ?? before)?.thing.case;
  const { userId, projectId, organizationId, scope } = fieldsOf(after ?? before);
  const places = [userId, projectId, organizationId, scope].filter((value) => value !== undefined && "id" in value);
  return {
    title: kind === undefined ? "" : words.titles[kind][effect],
    effect,
    differences: differencesOf(fieldsOf(before), fieldsOf(after))
      // What identifies a thing stays, so people see what changed.
      .filter((one) => effect !== 1 || identifying.has(one.field) || isChanged(one)),
    said: [],
    places: Object.fromEntries(places.map(({ kind: of, id }) => [of, id])),
  };
}

type Values = Partial<Record<Field, Value | undefined>>;

function differencesOf(was: Values, is: Values): Difference[] {
  const fields = [...new Set([...Object.keys(was), ...Object.keys(is)])] as Field[];
  return fields
    .map((field) => ({ field, before: was[field], after: is[field] }))
    .filter(({ before, after }) => before !== undefined || after !== undefined);
}

const identifying: ReadonlySet<Field> = new Set<Field>(["displayName", "name", "key", "userId", "scope", "projectId"]);

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

/** The fields of a thing that have a value. */
function fieldsOf(held: DirectoryThing | undefined): Values {
  const thing = (held?.thing.value ?? {}) as { readonly [name: string]: never };
  const known = Object.entries(readers)
    .filter(([field]) => thing[field] !== undefined)
    .map(([field, read]) => [field, read(thing[field] as never, thing)] as const);
  return Object.fromEntries(known.filter(([, value]) => !isEmpty(value)));
}

function rolesOf(keys: readonly string[], { projectId }: { readonly projectId?: string }): Value {
  return { kind: "roles", projectId, keys };
}

type Scope = Extract<DirectoryThing["thing"], { case: "administrator" }>["value"]["scope"];

function scopeOf({ case: kind, value }: Scope): Value {
  if (kind === "organizationId") return { kind: "organization", id: value };
  if (kind === "projectId") return { kind: "project", id: value };
  return text(kind === "projectGrantId" ? words.grant : words.everything);
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

export function isChanged({ before, after }: Difference): boolean {
  if (before === undefined || after === undefined) return true;
  if (before.kind === "roles") return onlyIn(before, after).length + onlyIn(after, before).length > 0;
  if (before.kind === "moment" && after.kind === "moment") {
    return before.at.seconds !== after.at.seconds || before.at.nanos !== after.at.nanos;
  }
  return JSON.stringify(before) !== JSON.stringify(after);
}
