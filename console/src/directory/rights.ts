import type {
  Authorization,
  GetCallerResponse,
  PermissionScope,
  PermissionSource,
} from "@authorization-service/client";
import { type Level, levelOf } from "./administrator-roles.ts";

/** The scopes that reach a thing of the directory, by their ids. Entries on the instance reach everything. */
export type Where = {
  readonly organizationId?: string | undefined;
  readonly projectId?: string | undefined;
  readonly projectGrantId?: string | undefined;
};

/** Only entries on the instance count here. */
export const everywhere: Where = {};

/**
 * Whether the caller holds a permission on a thing of the directory (docs/reference/permissions.md). Pages offer only
 * such changes. The service decides again with every change.
 */
export function mayChange(caller: GetCallerResponse | undefined, permission: string, where: Where): boolean {
  return sourcesOf(caller, permission).some(({ scope }) => reaches(scope, where));
}

/** Whether the caller may also move and remove people: some roles give `user.write` with limits. */
export function mayMoveOrRemovePeople(caller: GetCallerResponse | undefined, where: Where): boolean {
  return sourcesOf(caller, "user.write").some(({ scope, limited }) => !limited && reaches(scope, where));
}

/** Whether the caller may give, change and take an entry with these roles: only those with what the caller holds. */
export function mayGive(caller: GetCallerResponse | undefined, roles: readonly string[], where: Where): boolean {
  return (
    mayChange(caller, "administrator.write", where) &&
    roles.every((role) => {
      if (levelOf(role) === "instance" && !mayChange(caller, "directory.write", everywhere)) return false;
      const known = caller?.administratorRoles.find((one) => one.role === role);
      return known?.permissions.every((permission) => mayChange(caller, permission, where)) ?? false;
    })
  );
}

/** The roles that the caller may give at a level. */
export function rolesToGive(caller: GetCallerResponse | undefined, level: Level, where: Where): string[] {
  const roles = caller?.administratorRoles.map(({ role }) => role) ?? [];
  return roles.filter((role) => levelOf(role) === level && mayGive(caller, [role], where));
}

/** Whether the caller holds the permission on an assignment. */
export function may(
  caller: GetCallerResponse | undefined,
  permission: string,
  { organization, project }: Authorization,
): boolean {
  const isOwned = project?.organizationId === organization?.id;
  return sourcesOf(caller, permission).some(({ scope }) => {
    if (scope?.scope.case !== "projectGrant") {
      return reaches(scope, { organizationId: organization?.id, projectId: isOwned ? project?.id : undefined });
    }
    const grant = scope.scope.value;
    return grant.project?.id === project?.id && grant.organization?.id === organization?.id;
  });
}

/** Whether the caller holds the permission anywhere. */
export function maySomewhere(caller: GetCallerResponse | undefined, permission: string): boolean {
  return sourcesOf(caller, permission).length > 0;
}

/** Whether the caller administers nothing, and so sees only their own assignments. */
export function isPlain(caller: GetCallerResponse | undefined): boolean {
  if (caller === undefined) return false;
  return caller.permissions.every(({ sources }) => sources.length === 0);
}

/** The names of the places whose assignments the caller sees; undefined if that is everything. */
export function partSeen(caller: GetCallerResponse): readonly string[] | undefined {
  const scopes = sourcesOf(caller, "user.grant.read").map(({ scope }) => scope?.scope);
  if (scopes.some((scope) => scope?.case === "instance")) return undefined;
  const names = scopes.map((scope) => {
    if (scope?.case === "organization" || scope?.case === "project") return scope.value.name;
    return scope?.case === "projectGrant" ? scope.value.project?.name : undefined;
  });
  return [...new Set(names.filter((name) => name !== undefined && name !== ""))] as string[];
}

function sourcesOf(caller: GetCallerResponse | undefined, permission: string) {
  return caller?.permissions.find((held) => held.permission === permission)?.sources ?? [];
}

function reaches(held: PermissionScope | undefined, where: Where): boolean {
  const scope = held?.scope;
  if (scope?.case === "instance") return true;
  return scope?.case !== undefined && scope.value.id === where[`${scope.case}Id`];
}

/** The entries through which something is added, by the permission for it. */
const adding: Readonly<Record<string, readonly (string | undefined)[]>> = {
  "org.write": ["instance"],
  "project.write": ["instance", "organization"],
  "user.write": ["instance", "organization"],
};

/** Whether the caller may add something: to this organization, or to any if none is given. */
export function mayAdd(caller: GetCallerResponse | undefined, permission: string, organizationId?: string): boolean {
  const isAdding = (scope: PermissionScope | undefined) => adding[permission]?.includes(scope?.scope.case) ?? false;
  const isThere = (scope: PermissionScope | undefined) => !organizationId || reaches(scope, { organizationId });
  return sourcesOf(caller, permission).some(({ scope }) => isAdding(scope) && isThere(scope));
}

/** Whether these entries allow a part at most: not to add organizations or projects, or not to move and remove people. */
export function isLimited(permission: string, sources: readonly PermissionSource[]): boolean {
  const scopes = adding[permission];
  return sources.every(({ scope, limited }) => limited || scopes?.includes(scope?.scope.case) === false);
}
