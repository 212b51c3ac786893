import type { DirectoryEvent, DirectoryThing } from "@authorization-service/client/directory";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { directoryHistoryWords } from "../words/directory-history.ts";

export type Kind = NonNullable<DirectoryThing["thing"]["case"]>;
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

export type DirectoryChange = {
  /** Undefined for a kind that this console doesn't know. */
  readonly kind: Kind | undefined;
  readonly effect: Effect;
  /** The fields that differ. Of an added or removed thing, everything that it has. */
  readonly differences: readonly Difference[];
  /** Where the thing is, or was before it was removed. */
  readonly places: Places;
};

/** The ids of what it is in, or about. */
export type Places = { readonly user?: string; readonly project?: string; readonly organization?: string };

export function directoryChangeOf({ before, after }: DirectoryEvent): DirectoryChange {
  const [was, is] = [valuesOf(before), valuesOf(after)];
  const fields = [...new Set([...was.keys(), ...is.keys()])];
  const isChange = before !== undefined && after !== undefined;
  return {
    kind: (after ?? before)?.thing.case,
    places: placesOf(after ?? before),
    effect: before === undefined ? 0 : after === undefined ? 2 : 1,
    differences: fields
      .map((field) => ({ field, before: was.get(field), after: is.get(field) }))
      // What identifies a thing stays, so people see what changed.
      .filter((one) => !isChange || identifying.has(one.field) || !isSame(one.before, one.after)),
  };
}

function placesOf(held: DirectoryThing | undefined): Places {
  const { userId, projectId, organizationId, scope } = fieldsOf(held);
  const named = [userId, projectId, organizationId, scope].filter((value) => value !== undefined && "id" in value);
  return Object.fromEntries(named.map((value) => [value.kind, value.id]));
}

const identifying: ReadonlySet<Field> = new Set<Field>(["displayName", "name", "key", "userId", "scope", "projectId"]);

function valuesOf(thing: DirectoryThing | undefined): Map<Field, Value> {
  const values = Object.entries(fieldsOf(thing)).filter(([, value]) => value !== undefined && !isEmpty(value));
  return new Map(values as [Field, Value][]);
}

function fieldsOf(held: DirectoryThing | undefined): Partial<Record<Field, Value | undefined>> {
  const thing = held?.thing;
  switch (thing?.case) {
    case "organization":
      return { name: text(thing.value.name) };
    case "user": {
      const { displayName, preferredLoginName, organizationId, avatarUrl } = thing.value;
      return {
        displayName: text(displayName),
        preferredLoginName: text(preferredLoginName),
        organizationId: { kind: "organization", id: organizationId },
        avatarUrl: text(avatarUrl),
      };
    }
    case "project":
      return { name: text(thing.value.name), organizationId: { kind: "organization", id: thing.value.organizationId } };
    case "projectRole": {
      const { displayName, key, group, projectId } = thing.value;
      return {
        displayName: text(displayName),
        key: text(key),
        group: text(group),
        projectId: { kind: "project", id: projectId },
      };
    }
    case "projectGrant": {
      const { projectId, organizationId, roleKeys } = thing.value;
      return {
        projectId: { kind: "project", id: projectId },
        organizationId: { kind: "organization", id: organizationId },
        roleKeys: { kind: "roles", projectId, keys: roleKeys },
      };
    }
    case "administrator": {
      const { userId, scope, roles } = thing.value;
      return {
        userId: { kind: "user", id: userId },
        roles: { kind: "roles", projectId: undefined, keys: roles },
        scope: scopeOf(scope),
      };
    }
    case "token": {
      const { name, userId, expirationDate } = thing.value;
      return {
        name: text(name),
        userId: { kind: "user", id: userId },
        expirationDate: expirationDate && { kind: "moment", at: expirationDate },
      };
    }
    default:
      return {};
  }
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
