import { applyChanges } from "./apply-changes.ts";
import { mayKnowOf, named } from "./caller.ts";
import type { Change } from "./change.ts";
import { appendTokenEvent } from "./directory-events.ts";
import { lackingFor } from "./may-change.ts";
import { compareScopes, entriesWith, holds, holdsEverywhere, nameOf, sees } from "./permissions.ts";
import { Refused } from "./refused.ts";
import { usersOfTree } from "./tokens.ts";
import {
  type Administrator,
  type Authorization,
  append,
  appendEnd,
  compareTexts,
  type Given,
  type World,
} from "./world.ts";

export type OffboardRequest = { userId: string; mode: "MODE_SUSPEND" | "MODE_REMOVE" };

/** docs/reference/directory.md, "Off-boarding". */
export function offboardUser(world: World, callerId: string, { userId, mode }: OffboardRequest, given: Given): object {
  const removes = mode === "MODE_REMOVE";
  const removal: Change = { remove: { userId } };
  const lacking = lackingFor(world, callerId, removal);
  if (removes && lacking !== undefined) throw new Refused("PERMISSION_DENIED", { permission: nameOf(lacking) });
  if (!removes && entriesWith(world, callerId, "write").length === 0) {
    throw new Refused("PERMISSION_DENIED", { permission: nameOf("write") });
  }
  if (!world.users.has(userId)) throw new Refused("USER_NOT_FOUND", {});

  const entries = [...world.administrators.values()]
    .filter((entry) => entry.userId === userId)
    .sort((one, other) => compareScopes(one.scope, other.scope));
  const changeOf = ({ scope }: Administrator): Change => ({ remove: { administrator: { userId, ...scope } } });
  const taken = entries.filter((entry) => removes || lackingFor(world, callerId, changeOf(entry)) === undefined);
  const isSeen = ({ scope }: Administrator) => userId === callerId || mayKnowOf(world, callerId, scope);
  const held = [...world.authorizations.values()].filter(
    (row) => row.userId === userId && (removes || row.state === "STATE_ACTIVE"),
  );
  const isReached = (row: Authorization) => removes || holds(world, callerId, "write", row);
  const revokes = userId === callerId || holdsEverywhere(world, callerId, "directory");
  const tokens = world.tokens.has(userId) ? 1 : 0;
  const listed = (some: Administrator[]) =>
    some.filter(isSeen).map(({ scope, roles }) => ({
      user: world.users.get(userId),
      scope: named(world, scope),
      roles: [...roles].sort(),
    }));
  const answer = {
    places: held
      .filter((row) => sees(world, callerId, row))
      .sort(
        (one, other) =>
          compareTexts(one.projectId, other.projectId) || compareTexts(one.organizationId, other.organizationId),
      )
      .map((row) => ({
        project: world.projects.get(row.projectId),
        organization: world.organizations.get(row.organizationId),
        taken: isReached(row) ? 1 : 0,
        kept: isReached(row) ? 0 : 1,
      })),
    administrators: listed(taken),
    keptAdministrators: listed(entries.filter((entry) => !taken.includes(entry))),
    tokens: removes || revokes ? tokens : 0,
    leftWithoutOwner: ownerless(world, taken.filter(isSeen)),
    ...(lacking === undefined && {
      unlisted: {
        authorizations: held.filter((row) => !sees(world, callerId, row)).length,
        administrators: entries.filter((entry) => !isSeen(entry)).length,
        tokens: removes || revokes ? 0 : tokens,
      },
    }),
    tokensForOthers: 0,
  };
  const its = [...world.authorizations.values()].filter((row) => row.userId === userId && isReached(row));
  const reached = new Set(its.map(({ id }) => id));
  const deactivated = removes ? [] : held.filter(isReached);
  change(world, callerId, removes ? [removal] : taken.map(changeOf), given);
  if (removes) return answer;

  for (const row of world.authorizations.values()) if (reached.has(row.id)) appendEnd(world, row);
  for (const { id, changeDate } of deactivated) {
    const row = world.authorizations.get(id) as Authorization;
    Object.assign(row, { state: "STATE_INACTIVE", changeDate: given.now(id, changeDate) });
    append(world, "user.grant.deactivated", callerId, row, row.changeDate);
  }
  for (const id of revokes ? usersOfTree(world, userId) : []) {
    appendTokenEvent(world, id, world.tokens.get(id) ?? null, null, callerId);
    world.tokens.delete(id);
  }
  return answer;
}

/** No one knows the places of these changes. */
function change(world: World, callerId: string, changes: Change[], given: Given): void {
  try {
    if (changes.length > 0) applyChanges(world, callerId, changes, given);
  } catch (error) {
    if (error instanceof Refused && error.problems[0]?.reason === "LAST_OWNER") throw new Refused("LAST_OWNER", {});
    throw error;
  }
}

/** The organizations of these entries that would have no other ORG_OWNER. */
function ownerless(world: World, entries: Administrator[]): object[] {
  const owned = entries.flatMap(({ scope, roles }) =>
    "organizationId" in scope && roles.includes("ORG_OWNER") ? [scope.organizationId] : [],
  );
  const hasOther = (organizationId: string) =>
    [...world.administrators.values()].some(
      ({ userId, scope, roles }) =>
        userId !== entries[0]?.userId &&
        "organizationId" in scope &&
        scope.organizationId === organizationId &&
        roles.includes("ORG_OWNER"),
    );
  return owned.filter((id) => !hasOther(id)).map((id) => ({ ...world.organizations.get(id) }));
}
