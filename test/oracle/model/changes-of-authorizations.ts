import { printDate, readDate } from "./dates.ts";
import { holds, nameOf, type Permission, sees } from "./permissions.ts";
import { Refused } from "./refused.ts";
import {
  type Authorization,
  append,
  appendEnd,
  type Event,
  type Given,
  isSinceRemoval,
  keptEvents,
  notAssignable,
  type Place,
  placeOf,
  type State,
  sameSet,
  sortedKeys,
  type World,
} from "./world.ts";

/** What Create, Update, Activate, Deactivate and Delete do to the world; each answers as its RPC. */

export type CreateRequest = {
  userId: string;
  projectId: string;
  organizationId: string;
  roleKeys: string[];
  expirationDate?: string;
};
export type UpdateRequest = { id: string; roleKeys: string[]; ifUnchangedSince?: string } & Ending;
/** At most one of them. */
export type Ending = { expirationDate?: string; removeExpiration?: boolean };
export type IdRequest = { id: string; ifUnchangedSince?: string };

export function createAuthorization(
  world: World,
  callerId: string,
  { userId, projectId, organizationId, roleKeys, expirationDate: end }: CreateRequest,
  newId: string,
  given: Given,
): object {
  const place = placeOf(world, projectId, organizationId);
  // Without a place there is no project and no grant whose administrators could be asking.
  requirePermission(world, callerId, "write", place ?? { projectId: "", organizationId, projectGrantId: "" });
  if (!world.users.has(userId)) throw new Refused("USER_NOT_FOUND", {});
  if (!world.organizations.has(organizationId)) throw new Refused("ORGANIZATION_NOT_FOUND", {});
  if (place === undefined) throw new Refused("PROJECT_NOT_GRANTED", {});
  requireAssignable(world, place, roleKeys);
  const expirationDate = end === undefined ? null : readDate(end);
  requireFuture(expirationDate);
  const twin = [...world.authorizations.values()].find(
    (a) => a.userId === userId && a.projectId === projectId && a.organizationId === organizationId,
  );
  if (twin !== undefined) throw new Refused("AUTHORIZATION_EXISTS", { id: twin.id });

  const now = given.now(newId, undefined);
  const state = "STATE_ACTIVE";
  const ending = { expirationDate, expired: false, isDue: false };
  const created = {
    ...place,
    id: newId,
    userId,
    roleKeys,
    state,
    creationDate: now,
    changeDate: now,
    ...ending,
  } as const;
  world.authorizations.set(newId, created);
  append(world, "user.grant.added", callerId, created, now);
  return { id: newId, creationDate: printDate(now) };
}

export function updateAuthorization(world: World, callerId: string, request: UpdateRequest, given: Given): object {
  const authorization = requireSeen(world, callerId, request.id);
  requirePermission(world, callerId, "write", authorization);
  requireUnchanged(authorization, request.ifUnchangedSince);
  const { removeExpiration, expirationDate: asked } = request;
  const wanted = removeExpiration ? null : asked === undefined ? authorization.expirationDate : readDate(asked);
  const isSameEnd = wanted === authorization.expirationDate;
  if (sameSet(authorization.roleKeys, request.roleKeys) && isSameEnd) return changedAt(authorization);
  requireAssignable(world, authorization, request.roleKeys);
  if (asked !== undefined) requireFuture(wanted);
  const { state, expired } = authorization;
  const renewed = expired && !isSameEnd ? { state: "STATE_ACTIVE" as const, expired: false } : { state, expired };
  const changed = { ...authorization, ...renewed, roleKeys: request.roleKeys, expirationDate: wanted };
  return change(world, callerId, "user.grant.changed", changed, given);
}

/** The ends of a case are years away. */
function requireFuture(end: bigint | null): void {
  if (end !== null && end < BigInt(Date.now()) * 1_000n) throw new Refused("EXPIRATION_NOT_IN_FUTURE", {});
}

export function setState(world: World, callerId: string, state: State, request: IdRequest, given: Given): object {
  const authorization = requireSeen(world, callerId, request.id);
  requirePermission(world, callerId, "write", authorization);
  requireUnchanged(authorization, request.ifUnchangedSince);
  if (authorization.state === state && !authorization.expired) return changedAt(authorization);
  const { expirationDate } = authorization;
  const hasPassed = expirationDate !== null && expirationDate < BigInt(Date.now()) * 1_000n;
  if (state === "STATE_ACTIVE" && hasPassed) throw new Refused("AUTHORIZATION_EXPIRED", {});
  const type = state === "STATE_ACTIVE" ? "user.grant.reactivated" : "user.grant.deactivated";
  return change(world, callerId, type, { ...authorization, state, expired: false }, given);
}

/** One that was put in place anew where the caller does not see it is, for that caller, still removed. */
export function deleteAuthorization(world: World, callerId: string, request: IdRequest, given: Given): object {
  const authorization = world.authorizations.get(request.id);
  if (authorization === undefined || !sees(world, callerId, authorization)) {
    return { deletionDate: printDate(dateOfRemoval(world, callerId, request.id)) };
  }
  appendEnd(world, authorization);
  requirePermission(world, callerId, "delete", authorization);
  requireUnchanged(authorization, request.ifUnchangedSince);
  world.authorizations.delete(authorization.id);
  const now = given.now(authorization.id, authorization.changeDate);
  append(world, "user.grant.removed", callerId, authorization, now);
  return { deletionDate: printDate(now) };
}

function dateOfRemoval(world: World, callerId: string, id: string): bigint {
  const removal = keptEvents(world).findLast(({ authorizationId, state }) => authorizationId === id && state === null);
  if (removal === undefined || !holds(world, callerId, "delete", asItIsToday(world, removal))) {
    throw new Refused("AUTHORIZATION_NOT_FOUND", {});
  }
  return removal.time;
}

/** What has the same id today may be another one; then its administrators have no part in it. */
export function asItIsToday(world: World, event: Event): Place {
  const { projectId, organizationId, projectGrantId } = event;
  const isSame = (kind: string, id: string) => isSinceRemoval(world, kind, id, event);
  const where = isSame("organization", organizationId) ? organizationId : "";
  const grant = world.projectGrants.get(projectGrantId);
  if (
    grant?.projectId === projectId &&
    grant.organizationId === organizationId &&
    isSame("projectGrant", projectGrantId)
  ) {
    return { projectId, organizationId: where, projectGrantId };
  }
  const isOwned = world.projects.get(projectId)?.organizationId === organizationId && isSame("project", projectId);
  return { projectId: isOwned ? projectId : "", organizationId: where, projectGrantId: "" };
}

/** What a caller cannot see does not exist for it. */
function requireSeen(world: World, callerId: string, id: string): Authorization {
  const authorization = world.authorizations.get(id);
  if (authorization !== undefined && sees(world, callerId, authorization)) {
    appendEnd(world, authorization);
    return authorization;
  }
  throw new Refused("AUTHORIZATION_NOT_FOUND", {});
}

function requirePermission(world: World, callerId: string, permission: Permission, place: Place): void {
  if (!holds(world, callerId, permission, place)) {
    throw new Refused("PERMISSION_DENIED", { permission: nameOf(permission) });
  }
}

/** A date finer than a microsecond is none that a change ever had. */
function requireUnchanged({ changeDate }: Authorization, since: string | undefined): void {
  if (since !== undefined && since !== printDate(changeDate)) {
    throw new Refused("AUTHORIZATION_CHANGED", { changeDate: printDate(changeDate) });
  }
}

function requireAssignable(world: World, place: Place, keys: readonly string[]): void {
  const missing = notAssignable(world, place, keys);
  if (missing.length > 0) throw new Refused("ROLE_NOT_FOUND", { roleKeys: JSON.stringify(sortedKeys(missing)) });
}

function change(world: World, actorId: string, type: string, changed: Authorization, given: Given): object {
  const now = given.now(changed.id, changed.changeDate);
  world.authorizations.set(changed.id, { ...changed, changeDate: now });
  append(world, type, actorId, changed, now);
  return changedAt({ changeDate: now });
}

function changedAt({ changeDate }: Pick<Authorization, "changeDate">): object {
  return { changeDate: printDate(changeDate) };
}
