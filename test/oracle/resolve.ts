import { wouldApply } from "./model/apply-changes.ts";
import type { Change } from "./model/change.ts";
import type { CreateRequest } from "./model/changes-of-authorizations.ts";
import { finerThan, printDate } from "./model/dates.ts";
import { sees } from "./model/permissions.ts";
import { notAssignable, placeOf, type World } from "./model/world.ts";
import type { ApplyOperation, Placed, PlannedChange, Since, Target } from "./operations.ts";

/** Finds what an operation names in the world it meets. */

export function idOf(world: World, callerId: string, target: Target): string {
  if (typeof target === "string") return target;
  const candidates = candidatesOf(world, callerId, target.among);
  return candidates[target.at % candidates.length] ?? "never was";
}

function candidatesOf(world: World, callerId: string, among: "live" | "visible" | "removed"): string[] {
  const live = [...world.authorizations.values()];
  switch (among) {
    case "live":
      return live.map(({ id }) => id);
    case "visible":
      return live.filter((authorization) => sees(world, callerId, authorization)).map(({ id }) => id);
    case "removed":
      return [...new Set(world.events.map((event) => event.authorizationId))].filter(
        (id) => !world.authorizations.has(id),
      );
  }
}

export function sinceOf(world: World, id: string, since: Since | undefined): { ifUnchangedSince?: string } {
  if (since === undefined) return {};
  if (since === "never") return { ifUnchangedSince: "2001-01-01T00:00:00Z" };
  const times = world.events.filter((event) => event.authorizationId === id).map(({ time }) => time);
  const authorization = world.authorizations.get(id);
  if (authorization?.isDue) times.push(authorization.changeDate);
  const time = times.at(since === "earlier" ? -2 : -1) ?? 0n;
  const date = printDate(time);
  return { ifUnchangedSince: since === "finer" ? finerThan(date) : date };
}

export function createRequestOf(
  world: World,
  { place, onlyAssignable, ...create }: CreateRequest & Placed,
): CreateRequest {
  const there = { ...create, ...placeAt(world, place) };
  return onlyAssignable ? { ...there, roleKeys: assignableOf(world, there, create.roleKeys) } : there;
}

/** Where an authorization can be: on a grant or with an owner. */
function placeAt(world: World, place: number | undefined): { projectId: string; organizationId: string } | undefined {
  const grants = [...world.projectGrants.values()];
  const projects = [...world.projects.values()].map(({ id, organizationId }) => ({ projectId: id, organizationId }));
  const all = [...grants, ...projects];
  const found = place === undefined ? undefined : all[place % all.length];
  return found && { projectId: found.projectId, organizationId: found.organizationId };
}

export function assignableOf(
  world: World,
  { projectId, organizationId }: { projectId: string; organizationId: string },
  keys: string[],
): string[] {
  const place = placeOf(world, projectId, organizationId);
  const missing = place === undefined ? [] : notAssignable(world, place, keys);
  return keys.filter((key) => !missing.includes(key));
}

export function changesOf(world: World, callerId: string, { changes, refused }: ApplyOperation): Change[] {
  const fine: Change[] = [];
  const actorId = callerId === "import" ? null : callerId;
  let left = refused;
  return changes.flatMap((planned) => {
    const change = changeOf(world, callerId, planned);
    if (wouldApply(world, actorId, [...fine, change])) {
      fine.push(change);
      return [change];
    }
    left -= 1;
    return left >= 0 ? [change] : [];
  });
}

function changeOf(world: World, callerId: string, { change, keep }: PlannedChange): Change {
  if ("project" in change && keep) {
    const { organizationId } = world.projects.get(change.project.id) ?? change.project;
    return { project: { ...change.project, organizationId } };
  }
  if ("projectGrant" in change && keep) {
    const { projectId, organizationId } = world.projectGrants.get(change.projectGrant.id) ?? change.projectGrant;
    return { projectGrant: { ...change.projectGrant, projectId, organizationId } };
  }
  if (!("authorization" in change)) return change;
  const { target, place, onlyAssignable, sameKeys, ...rest } = change.authorization;
  const id = idOf(world, callerId, target);
  const stored = world.authorizations.get(id);
  const there = (keep ? stored : undefined) ?? { ...rest, ...placeAt(world, place) };
  const { userId, projectId, organizationId } = there;
  const asked = (sameKeys ? stored?.roleKeys : undefined) ?? rest.roleKeys;
  const roleKeys = onlyAssignable ? assignableOf(world, there, asked) : asked;
  return { authorization: { ...rest, id, userId, projectId, organizationId, roleKeys } };
}
