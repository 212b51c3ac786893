import { type Administrator, compareTexts, type Place, type Scope, type World } from "./world.ts";

/** The table of docs/reference/permissions.md: what each administrator role permits. */
const table = `
  IAM_OWNER                        read write delete org user project role grant administrator directory
  IAM_ORG_MANAGER                  read write delete org user project role grant administrator
  IAM_USER_MANAGER                 read write delete user grant
  IAM_LOGIN_CLIENT                 read write user
  IAM_OWNER_VIEWER                 read
  ORG_OWNER                        read write delete org user project role grant administrator
  ORG_USER_MANAGER                 read write delete user
  ORG_USER_PERMISSION_EDITOR       read write delete
  ORG_PROJECT_PERMISSION_EDITOR    read write delete grant
  ORG_OWNER_VIEWER                 read
  PROJECT_OWNER                    read write delete project role grant administrator
  PROJECT_OWNER_GLOBAL             read write delete project role administrator
  PROJECT_OWNER_VIEWER             read
  PROJECT_OWNER_VIEWER_GLOBAL      read
  PROJECT_GRANT_OWNER              read write delete administrator
  PROJECT_GRANT_OWNER_VIEWER       read`;

const permissionsOf = new Map(
  table.split("\n").flatMap((line): [string, string[]][] => {
    const [role, ...permissions] = line.trim().split(/ +/);
    return role ? [[role, permissions]] : [];
  }),
);

export const administratorRoles: readonly string[] = [...permissionsOf.keys()];

/** What the service calls each permission. */
const names = {
  read: "user.grant.read",
  write: "user.grant.write",
  delete: "user.grant.delete",
  org: "org.write",
  user: "user.write",
  project: "project.write",
  role: "project.role.write",
  grant: "project.grant.write",
  administrator: "administrator.write",
  directory: "directory.write",
};

export type Permission = keyof typeof names;

export const allPermissions = Object.keys(names) as Permission[];

export function nameOf(permission: Permission): string {
  return names[permission];
}

/** Whether an administrator role gives the permission where it counts. */
export function permits(role: string, permission: Permission): boolean {
  return permissionsOf.get(role)?.includes(permission) ?? false;
}

/** Whether an administrator role goes with a scope. */
export function fits(role: string, scope: Scope): boolean {
  if (!permissionsOf.has(role)) return false;
  if (role.startsWith("IAM_")) return "instance" in scope;
  if (role.startsWith("ORG_")) return "organizationId" in scope;
  if (role.startsWith("PROJECT_GRANT_")) return "projectGrantId" in scope;
  return "projectId" in scope;
}

/** Permissions add up over all entries; there is no deny. */
export function holds(world: World, userId: string, permission: Permission, place: Place): boolean {
  return entriesWith(world, userId, permission).some(({ scope }) => reaches(scope, place));
}

/** Whether an entry in the scope counts in the place. */
export function reaches(scope: Scope, place: Place): boolean {
  if ("instance" in scope) return true;
  if ("organizationId" in scope) return scope.organizationId === place.organizationId;
  if ("projectId" in scope) return scope.projectId === place.projectId && place.projectGrantId === "";
  return scope.projectGrantId === place.projectGrantId;
}

/** Whether it holds the permission on the instance. */
export function holdsEverywhere(world: World, userId: string, permission: Permission): boolean {
  return entriesWith(world, userId, permission).some(({ scope }) => "instance" in scope);
}

/** A caller sees its own, and what it may read. */
export function sees(world: World, userId: string, authorization: Place & { userId: string }): boolean {
  return authorization.userId === userId || holds(world, userId, "read", authorization);
}

/** The user's entries that give the permission, wherever they do. */
export function entriesWith(world: World, userId: string, permission: Permission): Administrator[] {
  return [...world.administrators.values()].filter(
    (entry) => entry.userId === userId && entry.roles.some((role) => permits(role, permission)),
  );
}

/** The instance before organizations, projects and project grants, then the id. */
export function compareScopes(one: Scope, other: Scope): number {
  return rankOf(one) - rankOf(other) || compareTexts(idOf(one), idOf(other));
}

const kinds = ["instance", "organizationId", "projectId", "projectGrantId"];

function rankOf(scope: Scope): number {
  return kinds.findIndex((kind) => kind in scope);
}

function idOf(scope: Scope): string {
  return String(Object.values(scope)[0]);
}
