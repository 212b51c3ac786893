import type { Place } from "./authorization.ts";
import { Refusal } from "./refusal.ts";

export type Permission = "user.grant.read" | "user.grant.write" | "user.grant.delete" | "directory.write";

const read = ["user.grant.read"] as const;
const readWrite = ["user.grant.read", "user.grant.write"] as const;
const readWriteDelete = ["user.grant.read", "user.grant.write", "user.grant.delete"] as const;

/** The permissions of each administrator role. Any other role is refused. */
export const permissionsOfRole = {
  IAM_OWNER: [...readWriteDelete, "directory.write"],
  IAM_ORG_MANAGER: readWriteDelete,
  IAM_USER_MANAGER: readWriteDelete,
  IAM_LOGIN_CLIENT: readWrite,
  IAM_OWNER_VIEWER: read,
  ORG_OWNER: readWriteDelete,
  ORG_USER_MANAGER: readWriteDelete,
  ORG_USER_PERMISSION_EDITOR: readWriteDelete,
  ORG_PROJECT_PERMISSION_EDITOR: readWriteDelete,
  ORG_OWNER_VIEWER: read,
  PROJECT_OWNER: readWriteDelete,
  PROJECT_OWNER_GLOBAL: readWriteDelete,
  PROJECT_OWNER_VIEWER: read,
  PROJECT_OWNER_VIEWER_GLOBAL: read,
  PROJECT_GRANT_OWNER: readWriteDelete,
  PROJECT_GRANT_OWNER_VIEWER: read,
} as const satisfies Record<string, readonly Permission[]>;

export type AdministratorRole = keyof typeof permissionsOfRole;

/** Where the roles of an administrator entry apply. */
export type Scope =
  | { readonly kind: "instance" }
  | { readonly kind: "organization"; readonly organizationId: string }
  | { readonly kind: "project"; readonly projectId: string }
  | { readonly kind: "projectGrant"; readonly projectGrantId: string };

export type AdministratorEntry = { readonly scope: Scope; readonly roles: readonly AdministratorRole[] };

/** The user who makes a request, with its administrator entries at this moment. */
export type Caller = { readonly userId: string; readonly entries: readonly AdministratorEntry[] };

/** What a caller sees: its own authorizations, and those in any of the scopes. */
export type Visibility = { readonly userId: string; readonly scopes: readonly Scope[] };

/** A caller sees its own authorizations and those it holds `user.grant.read` on. */
export function visibilityOf(caller: Caller): Visibility {
  return { userId: caller.userId, scopes: scopesWith(caller, "user.grant.read") };
}

/** Permissions add up over all entries of the caller. There is no deny. */
export function holdsPermission(caller: Caller, permission: Permission, place: Place): boolean {
  return placesWith(caller, permission)(place);
}

/** The same for any number of places, going through the caller's entries only once. */
export function placesWith(caller: Caller, permission: Permission): (place: Place) => boolean {
  const scopes = scopesWith(caller, permission);
  return (place) => scopes.some((scope) => covers(scope, place));
}

/** Whether any entry of the caller gives the permission, in any scope. */
export function holdsAnywhere(caller: Caller, permission: Permission): boolean {
  return scopesWith(caller, permission).length > 0;
}

/** Guards every change. Throws PERMISSION_DENIED, so call it only for what the caller sees anyway. */
export function requirePermission(caller: Caller, permission: Permission, place: Place): void {
  permissionGuard(caller, permission)(place);
}

/** The same guard for any number of places. */
export function permissionGuard(caller: Caller, permission: Permission): (place: Place) => void {
  const isHeld = placesWith(caller, permission);
  return (place) => {
    if (isHeld(place)) return;
    throw new Refusal("PERMISSION_DENIED", `you need the permission ${permission} here`, { permission });
  };
}

/** Guards the directory as a whole. Throws PERMISSION_DENIED. */
export function requireDirectoryPermission(caller: Caller): void {
  requirePermission(caller, "directory.write", everywhere);
}

/** A place that belongs to no organization. Only entries on the instance reach it. */
export const everywhere: Place = { projectId: "", organizationId: "", projectGrantId: "" };

/** Whether a role can be held in this kind of scope, which the prefix of its name decides. */
export function roleFitsScope(role: AdministratorRole, scope: Scope): boolean {
  return scope.kind === scopeKindOf(role);
}

/** The scopes in which the caller holds the permission. */
export function scopesWith(caller: Caller, permission: Permission): Scope[] {
  return caller.entries.filter((entry) => entry.roles.some((role) => gives(role, permission))).map((e) => e.scope);
}

/** A role that a newer version stored and this one does not know gives no permission. */
export function gives(role: AdministratorRole, permission: Permission): boolean {
  const permissions: readonly Permission[] = Object.hasOwn(permissionsOfRole, role) ? permissionsOfRole[role] : [];
  return permissions.includes(permission);
}

/**
 * Whether a scope reaches a place. The table in src/postgres/seen/scopes.ts decides the same in SQL, and must agree.
 */
export function covers(scope: Scope, place: Place): boolean {
  switch (scope.kind) {
    case "instance":
      return true;
    case "organization":
      return place.organizationId === scope.organizationId;
    case "project":
      // The owner's administrators don't see what granted organizations assign.
      return place.projectId === scope.projectId && place.projectGrantId === "";
    case "projectGrant":
      return place.projectGrantId === scope.projectGrantId;
  }
}

function scopeKindOf(role: AdministratorRole): Scope["kind"] {
  if (role.startsWith("IAM_")) return "instance";
  if (role.startsWith("ORG_")) return "organization";
  return role.startsWith("PROJECT_GRANT_") ? "projectGrant" : "project";
}
