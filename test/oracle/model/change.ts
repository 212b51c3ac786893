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
  if ("organization" in change) return keyOf("organization", change.organization.id);
  if ("user" in change) return keyOf("user", change.user.id);
  if ("project" in change) return keyOf("project", change.project.id);
  if ("projectRole" in change) return keyOf("projectRole", change.projectRole.projectId, change.projectRole.key);
  if ("projectGrant" in change) return keyOf("projectGrant", change.projectGrant.id);
  if ("administrator" in change) return keyOf("administrator", administratorKey(change.administrator));
  if ("authorization" in change) return keyOf("authorization", change.authorization.id);
  const { remove } = change;
  if ("organizationId" in remove) return keyOf("organization", remove.organizationId);
  if ("userId" in remove) return keyOf("user", remove.userId);
  if ("projectId" in remove) return keyOf("project", remove.projectId);
  if ("projectRole" in remove) return keyOf("projectRole", remove.projectRole.projectId, remove.projectRole.key);
  if ("projectGrantId" in remove) return keyOf("projectGrant", remove.projectGrantId);
  if ("administrator" in remove) return keyOf("administrator", administratorKey(remove.administrator));
  return keyOf("authorization", remove.authorizationId);
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
