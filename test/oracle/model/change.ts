import {
  keyOf,
  type Organization,
  type Project,
  type ProjectGrant,
  type ProjectRole,
  type Scope,
  type State,
  type User,
} from "./world.ts";

/** One change of the directory, in the JSON of the import format. Every field is written. */
export type Change =
  | { organization: Organization }
  | { user: User }
  | { project: Project }
  | { projectRole: ProjectRole }
  | { projectGrant: ProjectGrant }
  | { administrator: Scope & { userId: string; roles: string[] } }
  | { authorization: AuthorizationChange }
  | { remove: Removal };

export type AuthorizationChange = {
  id: string;
  userId: string;
  projectId: string;
  organizationId: string;
  roleKeys: string[];
  state?: State;
  creationDate?: string;
  changeDate?: string;
  expirationDate?: string;
  removeExpiration?: boolean;
  expired?: boolean;
};

export type Removal =
  | { organizationId: string }
  | { userId: string }
  | { projectId: string }
  | { projectRole: { projectId: string; key: string } }
  | { projectGrantId: string }
  | { administrator: Scope & { userId: string } }
  | { authorizationId: string };

/** What a change is about: two changes with the same answer name one thing twice. */
export function thingOf(change: Change): string {
  return keyOf(...namedBy(change));
}

type Kind = "organization" | "user" | "project" | "projectRole" | "projectGrant" | "administrator" | "authorization";

/** The kind of what a change is about, and its key in the world. */
export function namedBy(change: Change): readonly [kind: Kind, key: string] {
  const named: Record<string, any> = "remove" in change ? change.remove : change;
  const [[field, thing] = ["", ""]] = Object.entries(named);
  const kind = field.replace("Id", "") as Kind;
  if (kind === "projectRole") return [kind, keyOf(thing.projectId, thing.key)];
  if (kind === "administrator") return [kind, administratorKey(thing)];
  return [kind, thing.id ?? thing];
}

/** A user has one entry in a scope. */
export function administratorKey(entry: Scope & { userId: string }): string {
  return keyOf(entry.userId, scopeOf(entry));
}

export function scopeOf(entry: Scope): Scope {
  if ("instance" in entry) return { instance: true };
  if ("organizationId" in entry) return { organizationId: entry.organizationId };
  if ("projectId" in entry) return { projectId: entry.projectId };
  return { projectGrantId: entry.projectGrantId };
}
