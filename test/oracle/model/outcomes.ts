import { type Change, namedBy } from "./change.ts";
import { printDate } from "./dates.ts";
import { mayRemoveEveryone } from "./may-change.ts";
import { sees } from "./permissions.ts";
import { type Authorization, compareTexts, keyOf, sameSet, sortedKeys, type World } from "./world.ts";

/** The JSON of a thing as a change that adds it. */
type Thing = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * What ApplyChanges answers: docs/reference/directory.md, "Outcomes".
 *
 * @param removed the world after the removals
 * @param chosen the dates that the service chose, by authorization
 */
export function answerAbout(
  world: World,
  removed: World,
  after: World,
  callerId: string,
  changes: readonly Change[],
  chosen: ReadonlyMap<string, bigint>,
): object {
  const outcomes = changes.map((change) => {
    if ("remove" in change) return outcomeOf(thingIn(world, change), undefined);
    // With the keys that a removal in the same request takes from it. What is removed and added again was not there before.
    const before = thingIn(removed, change) && thingIn(world, change);
    return outcomeOf(before, thingIn(after, change, chosen));
  });
  const authorizations = following(world, after, callerId, changes);
  const tokensMayStay = changes.some(removesUsers) && !mayRemoveEveryone(world, callerId);
  return { applied: changes.length, outcomes, authorizations, tokensMayStay };
}

function removesUsers(change: Change): boolean {
  return "remove" in change && ("userId" in change.remove || "organizationId" in change.remove);
}

function outcomeOf(before: Thing | undefined, now: Thing | undefined): object {
  const changedFields = before && now ? fieldsBetween(before, now) : [];
  // What was not touched keeps its dates.
  const after = before && now && changedFields.length === 0 ? before : now;
  const effect =
    before === undefined && after === undefined
      ? "EFFECT_NONE"
      : before === undefined
        ? "EFFECT_CREATED"
        : after === undefined
          ? "EFFECT_REMOVED"
          : changedFields.length > 0
            ? "EFFECT_CHANGED"
            : "EFFECT_NONE";
  return { effect, changedFields, ...(before && { before }), ...(after && { after }) };
}

function fieldsBetween(before: Thing, after: Thing): string[] {
  const [[kind = "", old] = [], [, now] = []] = [Object.entries(before)[0], Object.entries(after)[0]];
  return Object.keys({ ...old, ...now })
    .filter((field) => keyOf(old?.[field]) !== keyOf(now?.[field]))
    .filter((field) => kind !== "authorization" || field !== "changeDate" || now?.[field] !== undefined)
    .sort();
}

/** The thing that a change names. */
function thingIn(world: World, change: Change, chosen?: ReadonlyMap<string, bigint>): Thing | undefined {
  const [kind, key] = namedBy(change);
  if (kind === "projectGrant") return grant(world, key);
  if (kind === "authorization") return authorization(world.authorizations.get(key), chosen?.get(key));
  if (kind !== "administrator") return thing(kind, world[`${kind}s` as const].get(key));
  const entry = world.administrators.get(key);
  return thing(kind, entry && { userId: entry.userId, ...entry.scope, roles: [...entry.roles].sort() });
}

function thing(kind: string, found: object | undefined): Thing | undefined {
  return found && { [kind]: { ...found } };
}

function grant(world: World, id: string): Thing | undefined {
  const found = world.projectGrants.get(id);
  return thing("projectGrant", found && { ...found, roleKeys: sortedKeys(found.roleKeys) });
}

/** Without a date that the service chose. */
function authorization(found: Authorization | undefined, chosen: bigint | undefined): Thing | undefined {
  if (found === undefined) return undefined;
  const { id, userId, projectId, organizationId, roleKeys, state, creationDate, changeDate } = found;
  return thing("authorization", {
    ...{ id, userId, projectId, organizationId, roleKeys: sortedKeys(roleKeys), state },
    ...(creationDate === chosen ? {} : { creationDate: printDate(creationDate) }),
    ...(changeDate === chosen ? {} : { changeDate: printDate(changeDate) }),
    ...(found.expirationDate === null ? {} : { expirationDate: printDate(found.expirationDate) }),
    removeExpiration: false,
    expired: found.expired,
  });
}

/** Assignments that no change names and that the caller saw, counted where they are. */
function following(world: World, after: World, callerId: string, changes: readonly Change[]): object[] {
  const named = new Set(changes.map(namedBy).flatMap(([kind, key]) => (kind === "authorization" ? [key] : [])));
  const places = new Map<string, { projectId: string; organizationId: string; changed: number; removed: number }>();
  for (const before of world.authorizations.values()) {
    if (named.has(before.id) || !sees(world, callerId, before)) continue;
    const now = after.authorizations.get(before.id);
    if (now !== undefined && sameSet(now.roleKeys, before.roleKeys)) continue;
    const { projectId, organizationId } = before;
    const key = keyOf(projectId, organizationId);
    const place = places.get(key) ?? { projectId, organizationId, changed: 0, removed: 0 };
    places.set(key, place);
    place[now === undefined ? "removed" : "changed"] += 1;
  }
  return [...places.values()].sort(
    (one, other) =>
      compareTexts(one.projectId, other.projectId) || compareTexts(one.organizationId, other.organizationId),
  );
}
