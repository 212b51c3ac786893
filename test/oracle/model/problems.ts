import { type AuthorizationChange, administratorKey, type Change, scopeOf, thingOf } from "./change.ts";
import { readDate } from "./dates.ts";
import { fits } from "./permissions.ts";
import type { Problem } from "./refused.ts";
import { type Administrator, type Authorization, keyOf, notAssignable, placeOf, type World } from "./world.ts";

/**
 * Every reason to refuse upserts.
 *
 * @param before the world after the removals
 * @param after the world after the upserts, in which their references have to be found
 */
export function problemsOf(before: World, after: World, changes: readonly Change[]): Problem[] {
  return changes.flatMap((change, index) =>
    reasonsAgainst(before, after, change).map((reason): Problem => ({ reason, index })),
  );
}

/** Every two changes that name the same thing. */
export function duplicatesIn(changes: readonly Change[]): Problem[] {
  const things = changes.map(thingOf);
  return things.flatMap((thing, index) =>
    things.slice(0, index).flatMap((earlier, firstIndex): Problem[] => {
      return earlier === thing ? [{ reason: "DUPLICATE_CHANGE", index, firstIndex }] : [];
    }),
  );
}

/** Administrator entries with a role that is unknown or does not go with the scope. */
export function invalidRolesIn(changes: readonly Change[]): Problem[] {
  return changes.flatMap((change, index) => {
    const isFine =
      !("administrator" in change) ||
      change.administrator.roles.every((role) => fits(role, scopeOf(change.administrator)));
    return unless(isFine, "ADMINISTRATOR_ROLE_INVALID").map((reason): Problem => ({ reason, index }));
  });
}

function reasonsAgainst(before: World, after: World, change: Change): string[] {
  if ("user" in change) return unless(after.organizations.has(change.user.organizationId), "REFERENCE_NOT_FOUND");
  if ("project" in change) {
    const { id, organizationId } = change.project;
    const known = before.projects.get(id);
    return [
      ...unless(after.organizations.has(organizationId), "REFERENCE_NOT_FOUND"),
      ...unless(known === undefined || known.organizationId === organizationId, "IMMUTABLE_FIELD"),
    ];
  }
  if ("projectRole" in change) return unless(after.projects.has(change.projectRole.projectId), "REFERENCE_NOT_FOUND");
  if ("projectGrant" in change) return reasonsAgainstGrant(before, after, change.projectGrant.id);
  if ("administrator" in change) {
    const { userId, roles } = change.administrator;
    return reasonsAgainstAdministrator(after, { userId, roles, scope: scopeOf(change.administrator) });
  }
  if ("authorization" in change) return reasonsAgainstAuthorization(before, after, change.authorization);
  return [];
}

function reasonsAgainstGrant(before: World, after: World, id: string): string[] {
  const grant = after.projectGrants.get(id);
  if (grant === undefined) throw new Error("an upserted grant is not there");
  const known = before.projectGrants.get(id);
  const project = after.projects.get(grant.projectId);
  const samePair = [...after.projectGrants.values()].filter(
    (other) => other.projectId === grant.projectId && other.organizationId === grant.organizationId,
  );
  const isSame =
    known === undefined || (known.projectId === grant.projectId && known.organizationId === grant.organizationId);
  return [
    ...unless(project !== undefined && after.organizations.has(grant.organizationId), "REFERENCE_NOT_FOUND"),
    ...unless(isSame, "IMMUTABLE_FIELD"),
    ...unless(project?.organizationId !== grant.organizationId, "GRANT_TO_OWNER"),
    ...unless(samePair.length === 1, "GRANT_EXISTS"),
    ...unless(
      project === undefined || grant.roleKeys.every((key) => after.projectRoles.has(keyOf(project.id, key))),
      "ROLE_NOT_FOUND",
    ),
  ];
}

function reasonsAgainstAdministrator(after: World, { userId, scope, roles }: Administrator): string[] {
  const isScopeThere =
    "instance" in scope ||
    ("organizationId" in scope && after.organizations.has(scope.organizationId)) ||
    ("projectId" in scope && after.projects.has(scope.projectId)) ||
    ("projectGrantId" in scope && after.projectGrants.has(scope.projectGrantId));
  return [
    ...unless(
      roles.every((role) => fits(role, scope)),
      "ADMINISTRATOR_ROLE_INVALID",
    ),
    ...unless(after.users.has(userId) && isScopeThere, "REFERENCE_NOT_FOUND"),
  ];
}

function reasonsAgainstAuthorization(before: World, after: World, change: AuthorizationChange): string[] {
  const { id, userId, projectId, organizationId, roleKeys } = change;
  const known = before.authorizations.get(id);
  const place = placeOf(after, projectId, organizationId);
  const isThere = after.users.has(userId) && after.organizations.has(organizationId) && place !== undefined;
  const samePlace = (other: Authorization) =>
    other.userId === userId && other.projectId === projectId && other.organizationId === organizationId;
  const twins = [...after.authorizations.values()].filter(samePlace);
  return [
    ...unless(isThere, "REFERENCE_NOT_FOUND"),
    ...unless(known === undefined || samePlace(known), "IMMUTABLE_FIELD"),
    ...unless(place === undefined || notAssignable(after, place, roleKeys).length === 0, "ROLE_NOT_FOUND"),
    ...unless(twins.length === 1, "AUTHORIZATION_EXISTS"),
    ...unless(!change.expired || canBeExpired(change, known), "EXPIRATION_NOT_REACHED"),
  ];
}

/** The ends of a case are years away. */
function canBeExpired(
  { state, removeExpiration, expirationDate }: AuthorizationChange,
  known?: Authorization,
): boolean {
  const end = expirationDate === undefined ? (known?.expirationDate ?? null) : readDate(expirationDate);
  return state === "STATE_INACTIVE" && !removeExpiration && end !== null && end < BigInt(Date.now()) * 1_000n;
}

function unless(isFine: boolean, reason: string): string[] {
  return isFine ? [] : [reason];
}

/** Sets a thing as a whole. */
export function upsert(world: World, change: Change): void {
  if ("organization" in change) world.organizations.set(change.organization.id, change.organization);
  else if ("user" in change) world.users.set(change.user.id, change.user);
  else if ("project" in change) world.projects.set(change.project.id, change.project);
  else if ("projectRole" in change) {
    const key = keyOf(change.projectRole.projectId, change.projectRole.key);
    const { description = world.projectRoles.get(key)?.description, ...role } = change.projectRole;
    // Images leave out an empty one.
    world.projectRoles.set(key, { ...role, ...(description ? { description } : {}) });
  } else if ("projectGrant" in change) world.projectGrants.set(change.projectGrant.id, change.projectGrant);
  else if ("administrator" in change) {
    const { userId, roles } = change.administrator;
    const key = administratorKey(change.administrator);
    if (roles.length === 0) world.administrators.delete(key);
    else world.administrators.set(key, { userId, roles, scope: scopeOf(change.administrator) });
  }
}
