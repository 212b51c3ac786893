import type { Place } from "./authorization.ts";
import { Refusal } from "./refusal.ts";

/** Permissions to change a part of the directory, in the scope of an entry. */
const partsOfDirectory = [
  "org.write",
  "user.write",
  "project.write",
  "project.role.write",
  "project.grant.write",
  "administrator.write",
] as const;

const read = ["user.grant.read"] as const;
const readWrite = [...read, "user.grant.write"] as const;
const readWriteDelete = [...readWrite, "user.grant.delete"] as const;

/** Every permission, in the order of docs/reference/permissions.md. */
export const permissions = [...readWriteDelete, ...partsOfDirectory, "directory.write"] as const;
export type Permission = (typeof permissions)[number];

/** The permissions of each administrator role. Any other role is refused. */
export const permissionsOfRole = {
  IAM_OWNER: [...readWriteDelete, ...partsOfDirectory, "directory.write"],
  IAM_ORG_MANAGER: [...readWriteDelete, ...partsOfDirectory],
  IAM_USER_MANAGER: [...readWriteDelete, "user.write", "project.grant.write"],
  IAM_LOGIN_CLIENT: [...readWrite, "user.write"],
  IAM_OWNER_VIEWER: read,
  ORG_OWNER: [...readWriteDelete, ...partsOfDirectory],
  ORG_USER_MANAGER: [...readWriteDelete, "user.write"],
  ORG_USER_PERMISSION_EDITOR: readWriteDelete,
  ORG_PROJECT_PERMISSION_EDITOR: [...readWriteDelete, "project.grant.write"],
  ORG_OWNER_VIEWER: read,
  PROJECT_OWNER: [
    ...readWriteDelete,
    "project.write",
    "project.role.write",
    "project.grant.write",
    "administrator.write",
  ],
  PROJECT_OWNER_GLOBAL: [...readWriteDelete, "project.write", "project.role.write", "administrator.write"],
  PROJECT_OWNER_VIEWER: read,
  PROJECT_OWNER_VIEWER_GLOBAL: read,
  PROJECT_GRANT_OWNER: [...readWriteDelete, "administrator.write"],
  PROJECT_GRANT_OWNER_VIEWER: read,
} as const satisfies Record<string, readonly Permission[]>;

/** The only permission that some roles give with limits. */
const limitedPermission: Permission = "user.write";

/** Through these roles, it allows creating and changing users, but neither moving nor removing them. */
const keepsUsers: ReadonlySet<string> = new Set<keyof typeof permissionsOfRole>(["IAM_LOGIN_CLIENT"]);

export type AdministratorRole = keyof typeof permissionsOfRole;

/** Where the roles of an administrator entry apply. The instance's id is empty. */
export type Scope = {
  readonly kind: "instance" | "organization" | "project" | "projectGrant";
  readonly id: string;
};

export const instance: Scope = { kind: "instance", id: "" };

export type AdministratorEntry = { readonly scope: Scope; readonly roles: readonly AdministratorRole[] };

/** The user who makes a request, with its administrator entries at this moment. */
export type Caller = {
  readonly userId: string;
  readonly entries: readonly AdministratorEntry[];
  /** The id of the personal access token in the request; undefined for a JWT. */
  readonly tokenId?: string | undefined;
};

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
  return placesIn(scopesWith(caller, permission));
}

/** Where the caller holds the permission without the limits that some roles have. */
export function placesWithAll(caller: Caller, permission: Permission): (place: Place) => boolean {
  return placesIn(scopesWithAll(caller, permission));
}

/** The organizations where the caller holds the permission without those limits; undefined for all there are. */
export function organizationsWithAll(caller: Caller, permission: Permission): readonly string[] | undefined {
  const scopes = scopesWithAll(caller, permission);
  if (scopes.some(({ kind }) => kind === "instance")) return undefined;
  return scopes.flatMap((scope) => (scope.kind === "organization" ? [scope.id] : []));
}

function scopesWithAll(caller: Caller, permission: Permission): readonly Scope[] {
  if (permission !== limitedPermission) return scopesWith(caller, permission);
  return scopesThrough(caller, (role) => gives(role, permission) && !isLimited(role, permission));
}

/** Whether the role gives the permission only with limits. */
export function isLimited(role: AdministratorRole, permission: Permission): boolean {
  return permission === limitedPermission && keepsUsers.has(role);
}

/** Looks scopes up in a set: a caller may have a thousand, and ask about as many places. */
function placesIn(scopes: readonly Scope[]): (place: Place) => boolean {
  const held = new Set(scopes.map(keyOf));
  return (place) => held.size > 0 && keysReaching(place).some((key) => held.has(key));
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
    throw permissionDenied(permission);
  };
}

export function permissionDenied(permission: Permission): Refusal {
  return new Refusal("PERMISSION_DENIED", `you need the permission ${permission} here`, { permission });
}

/** Guards requests that may change any part of the directory. Throws PERMISSION_DENIED if the caller can change none. */
export function requireAnyDirectoryPermission(caller: Caller): void {
  if (partsOfDirectory.some((permission) => holdsAnywhere(caller, permission))) return;
  const some = `a change needs ${partsOfDirectory.join(", ")} or directory.write, depending on what it changes`;
  throw new Refusal("PERMISSION_DENIED", `${some}: you have none of these permissions`, {
    permission: "directory.write",
  });
}

/** A place that belongs to no organization. Only entries on the instance reach it. */
export const everywhere: Place = { projectId: "", organizationId: "", projectGrantId: "" };

/** A place that entries on the organization reach, and entries on the instance. */
export function organizationPlace(organizationId: string): Place {
  return { ...everywhere, organizationId };
}

/** A place that entries on the project reach, on the organization that owns it, and on the instance. */
export function projectPlace(projectId: string, ownerId: string): Place {
  return { ...everywhere, projectId, organizationId: ownerId };
}

/** Whether a name is an administrator role that can be held in the scope, which its prefix decides. */
export function isFittingRole(name: string, scope: Pick<Scope, "kind">): name is AdministratorRole {
  return Object.hasOwn(permissionsOfRole, name) && scope.kind === scopeKindOf(name);
}

/** The scopes in which the caller holds the permission. */
export function scopesWith(caller: Caller, permission: Permission): readonly Scope[] {
  return scopesThrough(caller, (role) => gives(role, permission));
}

function scopesThrough(caller: Caller, isEnough: (role: AdministratorRole) => boolean): Scope[] {
  return caller.entries.filter((entry) => entry.roles.some(isEnough)).map((entry) => entry.scope);
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
  return keysReaching(place).includes(keyOf(scope));
}

/** The keys of the scopes that reach a place. */
function keysReaching({ organizationId, projectId, projectGrantId }: Place): string[] {
  return [
    keyOf(instance),
    keyOf({ kind: "organization", id: organizationId }),
    // The owner's administrators don't see what granted organizations assign.
    keyOf(projectGrantId === "" ? { kind: "project", id: projectId } : { kind: "projectGrant", id: projectGrantId }),
  ];
}

/** A text for each scope. */
function keyOf({ kind, id }: Scope): string {
  return `${kind} ${id}`;
}

function scopeKindOf(role: string): Scope["kind"] {
  if (role.startsWith("IAM_")) return "instance";
  if (role.startsWith("ORG_")) return "organization";
  return role.startsWith("PROJECT_GRANT_") ? "projectGrant" : "project";
}
