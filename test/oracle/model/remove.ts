import { administratorKey, type Removal } from "./change.ts";
import { keyOf, type World } from "./world.ts";

/** Takes a thing away, and everything that cannot be without it. What is not there is no change. */
export function remove(world: World, removal: Removal): void {
  if ("organizationId" in removal) removeOrganization(world, removal.organizationId);
  else if ("userId" in removal) removeUser(world, removal.userId);
  else if ("projectId" in removal) removeProject(world, removal.projectId);
  else if ("projectRole" in removal) removeRole(world, removal.projectRole.projectId, removal.projectRole.key);
  else if ("projectGrantId" in removal) removeGrant(world, removal.projectGrantId);
  else if ("administrator" in removal) world.administrators.delete(administratorKey(removal.administrator));
  else world.authorizations.delete(removal.authorizationId);
}

function removeOrganization(world: World, id: string): void {
  for (const user of [...world.users.values()]) if (user.organizationId === id) removeUser(world, user.id);
  for (const project of [...world.projects.values()])
    if (project.organizationId === id) removeProject(world, project.id);
  for (const grant of [...world.projectGrants.values()]) if (grant.organizationId === id) removeGrant(world, grant.id);
  removeWhere(world.administrators, ({ scope }) => "organizationId" in scope && scope.organizationId === id);
  removeWhere(world.authorizations, (authorization) => authorization.organizationId === id);
  world.organizations.delete(id);
}

function removeUser(world: World, id: string): void {
  removeWhere(world.administrators, (entry) => entry.userId === id);
  removeWhere(world.authorizations, (authorization) => authorization.userId === id);
  world.tokens.delete(id);
  world.users.delete(id);
}

function removeProject(world: World, id: string): void {
  for (const grant of [...world.projectGrants.values()]) if (grant.projectId === id) removeGrant(world, grant.id);
  removeWhere(world.projectRoles, (role) => role.projectId === id);
  removeWhere(world.administrators, ({ scope }) => "projectId" in scope && scope.projectId === id);
  removeWhere(world.authorizations, (authorization) => authorization.projectId === id);
  world.projects.delete(id);
}

function removeGrant(world: World, id: string): void {
  removeWhere(world.administrators, ({ scope }) => "projectGrantId" in scope && scope.projectGrantId === id);
  removeWhere(world.authorizations, (authorization) => authorization.projectGrantId === id);
  world.projectGrants.delete(id);
}

function removeRole(world: World, projectId: string, key: string): void {
  world.projectRoles.delete(keyOf(projectId, key));
  for (const holder of [...world.projectGrants.values(), ...world.authorizations.values()]) {
    if (holder.projectId === projectId) holder.roleKeys = holder.roleKeys.filter((held) => held !== key);
  }
}

/** The keys a grant loses leave the authorizations on it. */
export function takeFromGrant(world: World, grantId: string, keptKeys: readonly string[]): void {
  for (const authorization of world.authorizations.values()) {
    if (authorization.projectGrantId !== grantId) continue;
    authorization.roleKeys = authorization.roleKeys.filter((key) => keptKeys.includes(key));
  }
}

function removeWhere<T>(things: Map<string, T>, isGone: (thing: T) => boolean): void {
  for (const [key, thing] of things) if (isGone(thing)) things.delete(key);
}
