import type { AuthorizationChange, Change } from "./change.ts";
import { readDate } from "./dates.ts";
import { appendDirectoryEvents } from "./directory-events.ts";
import { mayRemoveUser, requirePermitted } from "./may-change.ts";
import { answerAbout } from "./outcomes.ts";
import { duplicatesIn, invalidRolesIn, problemsOf, upsert } from "./problems.ts";
import { type Problem, Refused } from "./refused.ts";
import { remove, takeFromGrant } from "./remove.ts";
import { usersOfTree } from "./tokens.ts";
import {
  type Authorization,
  append,
  appendEnd,
  type Given,
  keptEvents,
  keyOf,
  lengthOf,
  placeOf,
  type State,
  sameSet,
  type World,
} from "./world.ts";

/**
 * What ApplyChanges and the import do: one change of state, first all removals, then all upserts.
 *
 * @param actorId the caller, or null for the command line, which may do everything
 * @returns the answer
 */
export function applyChanges(world: World, actorId: string | null, changes: readonly Change[], given: Given): object {
  requirePermitted(world, actorId, changes);
  const { removed, after } = outcomeOf(world, actorId, changes);
  const chosen = new Map<string, bigint>();
  const now: Given["now"] = (id, last) => {
    const time = given.now(id, last);
    chosen.set(id, time);
    return time;
  };
  settle(world, removed, after, actorId, changes, { ...given, now });
  const answer =
    actorId === null ? { applied: changes.length } : answerAbout(world, removed, after, actorId, changes, chosen);
  Object.assign(world, after);
  return answer;
}

/** The world after the removals, and after the upserts, with nothing said about authorizations that are new. */
function outcomeOf(world: World, actorId: string | null, changes: readonly Change[]): { removed: World; after: World } {
  const duplicates = duplicatesIn(changes);
  // The names of roles may be looked at while the changes are still being read.
  if (duplicates.length > 0) throw new Refused([...duplicates, ...invalidRolesIn(changes)]);
  const removed = copyOf(world);
  for (const change of changes) if ("remove" in change) remove(removed, change.remove);
  revokeTrees(world, removed, actorId);
  const after = copyOf(removed);
  for (const change of changes) upsert(after, change);
  for (const change of changes) {
    if ("projectGrant" in change) takeFromGrant(after, change.projectGrant.id, change.projectGrant.roleKeys);
  }
  for (const change of changes) if ("authorization" in change) upsertAuthorization(after, change.authorization);
  const problems = problemsOf(removed, after, changes);
  if (actorId !== null) problems.push(...lastOwnerIn(world, after, changes));
  if (problems.length > 0) throw new Refused(problems);
  return { removed, after };
}

/** What the tokens of removed users made goes with them, but for tokens of users whom the caller may not remove. */
function revokeTrees(world: World, removed: World, actorId: string | null): void {
  for (const { id } of world.users.values()) {
    if (removed.users.has(id)) continue;
    for (const userId of usersOfTree(world, id)) {
      if (actorId === null || mayRemoveUser(world, actorId, userId)) removed.tokens.delete(userId);
    }
  }
}

/** The last change that alone would take an IAM_OWNER away, when all of them leave none. */
function lastOwnerIn(world: World, after: World, changes: readonly Change[]): Problem[] {
  const owners = ownersOf(world);
  if (owners.length === 0 || ownersOf(after).length > 0) return [];
  const index = changes.findLastIndex((change) => {
    const alone = copyOf(world);
    if ("remove" in change) remove(alone, change.remove);
    else upsert(alone, change);
    return ownersOf(alone).length < owners.length;
  });
  return [{ reason: "LAST_OWNER", index }];
}

function ownersOf(world: World): string[] {
  const entries = [...world.administrators.values()];
  return entries
    .filter(({ scope, roles }) => "instance" in scope && roles.includes("IAM_OWNER"))
    .map(({ userId }) => userId);
}

/** Dates are settled with the events. */
function upsertAuthorization(world: World, change: AuthorizationChange): void {
  const { id, userId, projectId, organizationId, roleKeys } = change;
  const known = world.authorizations.get(id);
  const projectGrantId = placeOf(world, projectId, organizationId)?.projectGrantId ?? "";
  world.authorizations.set(id, {
    ...{ id, userId, projectId, organizationId, projectGrantId, roleKeys },
    ...endedBy(change, known),
    creationDate: known?.creationDate ?? 0n,
    changeDate: known?.changeDate ?? 0n,
    isDue: false,
  });
}

/** Neither a deactivation nor an end is forgotten unless the change says so. The ends of a case are years away. */
function endedBy(change: AuthorizationChange, known: Authorization | undefined) {
  const kept = known?.expirationDate ?? null;
  const given = change.expirationDate === undefined ? kept : readDate(change.expirationDate);
  const expirationDate = change.removeExpiration ? null : given;
  const wasDeactivated = known?.state === "STATE_INACTIVE" && !known.expired;
  const isSaid = change.state === undefined ? wasDeactivated : change.state === "STATE_INACTIVE";
  const isDeactivated = isSaid && !change.expired;
  const hasEnded = expirationDate !== null && expirationDate < BigInt(Date.now()) * 1_000n;
  const state: State = isDeactivated || hasEnded ? "STATE_INACTIVE" : "STATE_ACTIVE";
  return { state, expired: hasEnded && !isDeactivated, expirationDate };
}

/** Gives every authorization that was touched its dates and its one event. */
function settle(
  world: World,
  removed: World,
  after: World,
  actorId: string | null,
  changes: readonly Change[],
  given: Given,
): void {
  const named = new Map(changes.flatMap((c) => ("authorization" in c ? [[c.authorization.id, c.authorization]] : [])));
  const plainlyRemoved = new Set(
    changes.flatMap((c) => ("remove" in c && "authorizationId" in c.remove ? [c.remove.authorizationId] : [])),
  );
  for (const before of world.authorizations.values()) {
    const now = after.authorizations.get(before.id);
    const isConcerned = named.has(before.id) || plainlyRemoved.has(before.id) || now === undefined;
    if (!isConcerned && sameSet(now.roleKeys, before.roleKeys)) continue;
    appendEnd(after, { ...before });
    if (now !== undefined) now.isDue = false;
  }
  for (const before of world.authorizations.values()) {
    if (after.authorizations.has(before.id)) continue;
    const type = plainlyRemoved.has(before.id) ? "user.grant.removed" : "user.grant.cascade.removed";
    append(after, type, actorId, before, given.now(before.id, before.changeDate));
  }
  const appendOthers = appendDirectoryEvents(world, removed, after, actorId);
  rememberRemoved(world, removed, after);
  appendOthers();
  for (const authorization of after.authorizations.values()) {
    const before = removed.authorizations.has(authorization.id)
      ? world.authorizations.get(authorization.id)
      : undefined;
    const change = named.get(authorization.id);
    const settling = { after, change, actorId, given };
    if (before === undefined) settleNew(world, authorization, settling);
    else settleKnown(before, authorization, settling);
  }
}

/** Where things were, and that all events so far are older than a new thing with the same id. */
function rememberRemoved(world: World, removed: World, after: World): void {
  const length = lengthOf(after);
  const remember = (kind: "organization" | "user" | "project" | "projectGrant", ownerOf: (thing: any) => string) => {
    for (const [id, thing] of world[`${kind}s` as const]) {
      if (removed[`${kind}s` as const].has(id)) continue;
      after.removed.set(keyOf(kind, id), { organizationId: ownerOf(thing), ...length });
    }
  };
  remember("organization", ({ id }) => id);
  remember("user", ({ organizationId }) => organizationId);
  remember("project", ({ organizationId }) => organizationId);
  remember("projectGrant", ({ projectId }) => world.projects.get(projectId)?.organizationId ?? "");
}

/** What is said of an authorization, if anything, and by whom. */
type Settling = {
  readonly after: World;
  readonly change: AuthorizationChange | undefined;
  readonly actorId: string | null;
  readonly given: Given;
};

/**
 * It is added when it is created. A given date counts unless the id was there before and had a later one; one that does
 * not count, or is absent, is the other one, or now.
 */
function settleNew(world: World, authorization: Authorization, { after, change, actorId, given }: Settling): void {
  const lastKept = keptEvents(world).findLast((event) => event.authorizationId === authorization.id);
  const previous = world.authorizations.get(authorization.id)?.changeDate ?? lastKept?.time;
  const [created, changed] = [change?.creationDate, change?.changeDate].map((text) => {
    const date = text === undefined ? undefined : readDate(text);
    return date !== undefined && (previous === undefined || date > previous) ? date : undefined;
  });
  const changedBefore = changed !== undefined && given.isPast(changed) ? changed : undefined;
  authorization.creationDate = created ?? changedBefore ?? given.now(authorization.id, previous);
  authorization.changeDate = changed ?? authorization.creationDate;
  append(after, "user.grant.added", actorId, authorization, authorization.creationDate);
}

/**
 * A given change date counts when it is later than the one that is known; otherwise a change is of now, or of the
 * creation date when that is still to come.
 */
function settleKnown(
  before: Authorization,
  authorization: Authorization,
  { after, change, actorId, given }: Settling,
): void {
  if (change?.creationDate !== undefined) authorization.creationDate = readDate(change.creationDate);
  const asked = change?.changeDate === undefined ? undefined : readDate(change.changeDate);
  const counts = asked !== undefined && asked > before.changeDate;
  const isChanged =
    counts ||
    authorization.creationDate !== before.creationDate ||
    authorization.expirationDate !== before.expirationDate ||
    !sameSet(authorization.roleKeys, before.roleKeys);
  const isDeactivated = ({ state, expired }: Authorization) => state === "STATE_INACTIVE" && !expired;
  if (!isChanged && isDeactivated(authorization) === isDeactivated(before)) return;
  const { creationDate } = authorization;
  const isToCome = creationDate > before.changeDate && !given.isPast(creationDate);
  const unasked = () => (isToCome ? creationDate : given.now(authorization.id, before.changeDate));
  authorization.changeDate = counts ? asked : unasked();
  append(after, typeOf(isChanged, authorization, change), actorId, authorization, authorization.changeDate);
}

function typeOf(
  isChanged: boolean,
  { state, expired }: Authorization,
  change: AuthorizationChange | undefined,
): string {
  if (change === undefined) return "user.grant.cascade.changed";
  // A deactivation that is taken back from an ended one.
  if (isChanged || expired) return "user.grant.changed";
  return state === "STATE_ACTIVE" ? "user.grant.reactivated" : "user.grant.deactivated";
}

/** What the model changes in place is copied; the history is only ever added to, so that sharing it is fine. */
function copyOf(world: World): World {
  const each = <T extends object>(things: Map<string, T>) =>
    new Map([...things].map(([key, thing]): [string, T] => [key, { ...thing }]));
  return {
    ...world,
    organizations: each(world.organizations),
    users: each(world.users),
    projects: each(world.projects),
    projectRoles: each(world.projectRoles),
    projectGrants: each(world.projectGrants),
    administrators: each(world.administrators),
    authorizations: each(world.authorizations),
    ends: new Map(world.ends),
    tokens: new Map(world.tokens),
    events: [...world.events],
    removed: new Map(world.removed),
    directoryEvents: [...world.directoryEvents],
  };
}

/** Whether the changes would be applied, for generators that want to know. */
export function wouldApply(world: World, actorId: string | null, changes: readonly Change[]): boolean {
  try {
    requirePermitted(world, actorId, changes);
    outcomeOf(world, actorId, changes);
    return true;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}
