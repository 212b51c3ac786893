import type { Place } from "../authorization/authorization.ts";
import {
  type Caller,
  everywhere,
  isFittingRole,
  organizationPlace,
  type Permission,
  permissions,
  permissionsOfRole,
  placesWith,
  placesWithAll,
  projectPlace,
  type Scope,
} from "../authorization/permissions.ts";
import { Refusal } from "../authorization/refusal.ts";
import type { Change, PlacedChange, Removal, Upsert } from "./change.ts";
import { type Entered, type Facts, type Inheritable, keyOfEntry } from "./facts.ts";
import { placesOf } from "./places.ts";

/**
 * Judges all changes of a request by docs/reference/permissions.md, from what is stored. This is the only place that
 * does. Throws PERMISSION_DENIED for the first change that the caller may not make, with its position as `index`. What
 * is elsewhere is refused like what doesn't exist.
 */
export function requirePermitted(caller: Caller, changes: readonly PlacedChange[], facts: Facts): void {
  const [denied] = lackingAmong(caller, changes, facts);
  if (denied === undefined) return;
  const { permission } = denied;
  const index = String(denied.position);
  throw new Refusal("PERMISSION_DENIED", `changes[${index}]: you need the permission ${permission} for this`, {
    permission,
    index,
  });
}

/** The changes that the caller may not make, in their order, each with a permission that the caller lacks for it. */
export function* lackingAmong(
  caller: Caller,
  changes: readonly PlacedChange[],
  facts: Facts,
): Generator<PlacedChange & { readonly permission: Permission }, void> {
  const judge = judgeFor(caller, changes, facts);
  if (judge.rights.holds("directory.write", everywhere)) return;
  for (const placed of changes) {
    const permission = lackingFor(placed.change, judge);
    if (permission !== undefined) yield { ...placed, permission };
  }
}

type Judge = ReturnType<typeof judgeFor>;

function judgeFor(caller: Caller, changes: readonly PlacedChange[], facts: Facts) {
  const rights = rightsOf(caller);
  /** Whether the id may be given to a new thing. The ids of removed things are not inherited. */
  const mayReuse = (kind: Inheritable, id: string) => {
    const formerly = facts.formerly[kind].get(id);
    return formerly === undefined || rights.holds("org.write", organizationPlace(formerly));
  };
  return { rights, facts, mayReuse, places: placesOf(changes, facts, mayReuse) };
}

/** Goes through the caller's entries once for each permission, and not for each change. */
function rightsOf(caller: Caller) {
  const of = (placesOf: typeof placesWith) => {
    const known = new Map(permissions.map((permission) => [permission, placesOf(caller, permission)]));
    return (permission: Permission, place: Place) => known.get(permission)?.(place) ?? false;
  };
  // The second one is without the limits that some roles have.
  return { holds: of(placesWith), holdsAll: of(placesWithAll) };
}

/** The permission that the caller lacks for a change, if any. */
function lackingFor(change: Change, judge: Judge): Permission | undefined {
  const { places } = judge;
  switch (change.kind) {
    case "organization":
      return lackingIn([organizationPlace(change.id)], "org.write", judge);
    case "user":
      return lackingForUser(change, judge);
    case "project": {
      const isTaken = !judge.facts.projects.has(change.id) && !judge.mayReuse("project", change.id);
      return isTaken ? "project.write" : lackingIn(places.ofProject(change.id), "project.write", judge);
    }
    case "projectRole":
      return lackingIn(places.ofProject(change.projectId), "project.role.write", judge);
    case "projectGrant":
      return lackingForGrant(change, judge);
    case "administrator":
      return lackingForEntry(change, judge);
    case "authorization":
      return "directory.write";
    case "removal":
      return lackingForRemoval(change.thing, judge);
  }
}

function lackingForRemoval(thing: Removal, judge: Judge): Permission | undefined {
  const { facts, places } = judge;
  switch (thing.kind) {
    case "organization": {
      const its = facts.organizations.get(thing.id);
      return lackingIn([organizationPlace(thing.id)], "org.write", judge) ?? lackingToReach(its, thing.id, judge);
    }
    case "user": {
      const stored = facts.users.get(thing.id);
      const organizationId = stored?.organizationId ?? "";
      if (!judge.rights.holdsAll("user.write", organizationPlace(organizationId))) return "user.write";
      return lackingToReach(stored, organizationId, judge);
    }
    case "project":
      return lackingIn(places.ofProject(thing.id), "project.write", judge);
    case "projectRole":
      return lackingIn(places.ofProject(thing.projectId), "project.role.write", judge);
    case "projectGrant":
      return lackingIn([placeOfGranted(thing.id, facts)], "project.grant.write", judge);
    case "administrator":
      return lackingForEntry({ ...thing, roles: [] }, judge);
    case "authorization":
      return "directory.write";
  }
}

function lackingIn(places: readonly Place[], permission: Permission, { rights }: Judge): Permission | undefined {
  return places.every((place) => rights.holds(permission, place)) ? undefined : permission;
}

/** A user with an entry on the instance, or on its own organization, can only be changed by those who may give it. */
function lackingToReach(user: Entered | undefined, organizationId: string, judge: Judge): Permission | undefined {
  if (user?.onInstance) return "directory.write";
  return user?.onOrganization
    ? lackingIn([organizationPlace(organizationId)], "administrator.write", judge)
    : undefined;
}

function lackingForUser(user: Upsert & { kind: "user" }, judge: Judge): Permission | undefined {
  const { rights, facts, mayReuse } = judge;
  const there = organizationPlace(user.organizationId);
  const stored = facts.users.get(user.id);
  if (stored === undefined) {
    return rights.holds("user.write", there) && mayReuse("user", user.id) ? undefined : "user.write";
  }
  const here = organizationPlace(stored.organizationId);
  const mayChange =
    user.organizationId === stored.organizationId
      ? rights.holds("user.write", here)
      : rights.holdsAll("user.write", here) && rights.holdsAll("user.write", there);
  return mayChange ? lackingToReach(stored, stored.organizationId, judge) : "user.write";
}

/** Belongs to the owner's side, where the project is. */
function lackingForGrant({ id, projectId }: Upsert & { kind: "projectGrant" }, judge: Judge): Permission | undefined {
  const { facts, places, mayReuse } = judge;
  const isStored = facts.projectGrants.has(id);
  if (!isStored && !mayReuse("projectGrant", id)) return "project.grant.write";
  const granted = [...places.ofProject(projectId), ...(isStored ? [placeOfGranted(id, facts)] : [])];
  return lackingIn(granted, "project.grant.write", judge);
}

/** The place of the project that a stored grant is for. */
function placeOfGranted(grantId: string, { projectGrants }: Facts): Place {
  const stored = projectGrants.get(grantId);
  return stored === undefined ? everywhere : projectPlace(stored.projectId, stored.ownerId);
}

/** Callers give, change and remove only roles that permit nothing there which they lack themselves. */
function lackingForEntry(entry: { userId: string; scope: Scope; roles: readonly string[] }, judge: Judge) {
  const { userId, scope } = entry;
  if (scope.kind === "instance") return "directory.write";
  const there = judge.places.ofScope(scope);
  const lacking = lackingIn(there, "administrator.write", judge);
  if (lacking !== undefined) return lacking;
  const stored = judge.facts.entries.get(keyOfEntry(userId, scope)) ?? [];
  // A newer version may have stored a role that this one doesn't know. There is no telling what that permits.
  if (!stored.every((role) => isFittingRole(role, scope))) return "directory.write";
  const permitted = new Set<Permission>(
    [...entry.roles, ...stored].flatMap((role) => (isFittingRole(role, scope) ? permissionsOfRole[role] : [])),
  );
  return permissions.find(
    (permission) => permitted.has(permission) && !there.every((place) => judge.rights.holdsAll(permission, place)),
  );
}
