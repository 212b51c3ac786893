import { type Change, type Removal, scopeOf } from "./change.ts";
import { allPermissions, entriesWith, fits, nameOf, type Permission, permits } from "./permissions.ts";
import { Refused } from "./refused.ts";
import { keyOf, type Scope, type World } from "./world.ts";

/** Something a scope can reach: an organization, a project of one, or a grant to one. Nothing: what is not there. */
type At = { organizationId?: string; projectId?: string; projectGrantId?: string };

/**
 * docs/reference/permissions.md, read to the letter: refuses the first change that the caller may not make, by what there
 * is before any of them.
 *
 * @param actorId null for the command line, which may do everything
 */
export function requirePermitted(world: World, actorId: string | null, changes: readonly Change[]): void {
  if (actorId === null) return;
  const changing = allPermissions.filter((permission) => !["read", "write", "delete"].includes(permission));
  if (!changing.some((permission) => entriesWith(world, actorId, permission).length > 0)) {
    throw new Refused("PERMISSION_DENIED", { permission: nameOf("directory") });
  }
  for (const [index, change] of changes.entries()) {
    const lacking = judgeOf(world, actorId, changes).lacking(change);
    if (lacking === undefined) continue;
    throw new Refused("PERMISSION_DENIED", { permission: nameOf(lacking), index: String(index) });
  }
}

/** What the caller lacks for a single change, if anything. */
export function lackingFor(world: World, actorId: string, change: Change): Permission | undefined {
  return judgeOf(world, actorId, [change]).lacking(change);
}

/** Whether the caller may remove users where this one is. What else the user has doesn't matter. */
export function mayRemoveUser(world: World, actorId: string, userId: string): boolean {
  const organizationId = world.users.get(userId)?.organizationId;
  return judgeOf(world, actorId, []).mayAll("user", organizationId === undefined ? {} : { organizationId });
}

/** Whether the caller may remove users everywhere. */
export function mayRemoveEveryone(world: World, actorId: string): boolean {
  return judgeOf(world, actorId, []).mayAll("user", {});
}

function judgeOf(world: World, actorId: string, changes: readonly Change[]) {
  function lacking(change: Change): Permission | undefined {
    if (may("directory", {})) return undefined;
    if ("remove" in change) return lackingToRemove(change.remove);
    if ("organization" in change) return unless("org", { organizationId: change.organization.id });
    if ("user" in change) return lackingForUser(change.user);
    if ("project" in change) {
      const { id } = change.project;
      return isTaken("project", id) ? "project" : unless("project", ...placesOfProject(id));
    }
    if ("projectRole" in change) return unless("role", ...placesOfProject(change.projectRole.projectId));
    if ("projectGrant" in change) {
      const { id, projectId } = change.projectGrant;
      const stored = world.projectGrants.get(id);
      if (isTaken("projectGrant", id)) return "grant";
      return unless("grant", ...placesOfProject(projectId), ...(stored ? owned(stored.projectId) : []));
    }
    if ("administrator" in change) {
      const { userId, roles } = change.administrator;
      return lackingForEntry(userId, scopeOf(change.administrator), roles);
    }
    return "directory";
  }

  function lackingToRemove(removal: Removal): Permission | undefined {
    if ("organizationId" in removal) {
      const members = [...world.users.values()].filter((user) => user.organizationId === removal.organizationId);
      return unless("org", removal) ?? lackingToReach(members.map(({ id }) => id));
    }
    if ("userId" in removal) {
      const stored = world.users.get(removal.userId);
      if (!mayAll("user", stored ? { organizationId: stored.organizationId } : {})) return "user";
      return lackingToReach([removal.userId]);
    }
    if ("projectId" in removal) return unless("project", ...placesOfProject(removal.projectId));
    if ("projectRole" in removal) return unless("role", ...placesOfProject(removal.projectRole.projectId));
    if ("projectGrantId" in removal) {
      const grant = world.projectGrants.get(removal.projectGrantId);
      return unless("grant", ...(grant ? owned(grant.projectId) : [{}]));
    }
    if ("administrator" in removal) {
      return lackingForEntry(removal.administrator.userId, scopeOf(removal.administrator), []);
    }
    return "directory";
  }

  function lackingForUser({ id, organizationId }: { id: string; organizationId: string }): Permission | undefined {
    const stored = world.users.get(id);
    if (stored === undefined) return isTaken("user", id) ? "user" : unless("user", { organizationId });
    const isMoved = stored.organizationId !== organizationId;
    const places = [{ organizationId: stored.organizationId }, { organizationId }];
    if (!places.every((at) => (isMoved ? mayAll("user", at) : may("user", at)))) return "user";
    return lackingToReach([id]);
  }

  /** The instance counts first, for any of the users. */
  function lackingToReach(userIds: readonly string[]): Permission | undefined {
    const entries = [...world.administrators.values()].filter(({ userId }) => userIds.includes(userId));
    if (entries.some(({ scope }) => "instance" in scope)) return "directory";
    const own = entries.filter(
      ({ userId, scope }) =>
        "organizationId" in scope && scope.organizationId === world.users.get(userId)?.organizationId,
    );
    return own.every(({ scope }) => may("administrator", scope as At)) ? undefined : "administrator";
  }

  function lackingForEntry(userId: string, scope: Scope, roles: readonly string[]): Permission | undefined {
    if ("instance" in scope) return "directory";
    const places =
      "organizationId" in scope
        ? [scope]
        : "projectId" in scope
          ? placesOfProject(scope.projectId)
          : placesOfGrant(scope.projectGrantId);
    const lacking = unless("administrator", ...places);
    if (lacking !== undefined) return lacking;
    const stored = world.administrators.get(keyOf(userId, scope))?.roles ?? [];
    const concerned = [...roles, ...stored].filter((role) => fits(role, scope));
    return allPermissions.find(
      (permission) =>
        concerned.some((role) => permits(role, permission)) && !places.every((at) => mayAll(permission, at)),
    );
  }

  /** Of the owner's side. What the request adds counts, too, unless that is where it is already. */
  function placesOfProject(id: string): At[] {
    const stored = owned(id);
    const given = changes.flatMap((change) =>
      "project" in change && change.project.id === id ? [{ organizationId: change.project.organizationId }] : [],
    );
    const others = given.filter(({ organizationId }) => organizationId !== stored[0]?.organizationId);
    const places = [...stored, ...(isTaken("project", id) ? [] : others)];
    return places.length > 0 ? places : [{}];
  }

  function owned(projectId: string): At[] {
    const project = world.projects.get(projectId);
    return project ? [{ projectId, organizationId: project.organizationId }] : [];
  }

  /** Of the granted side. */
  function placesOfGrant(id: string): At[] {
    const stored = world.projectGrants.get(id);
    const given = changes.flatMap((change) =>
      "projectGrant" in change && change.projectGrant.id === id ? [change.projectGrant] : [],
    );
    const others = given
      .filter((grant) => grant.projectId !== stored?.projectId || grant.organizationId !== stored.organizationId)
      .map(({ organizationId }) => ({ organizationId }));
    const places = [
      ...(stored ? [{ projectGrantId: id, organizationId: stored.organizationId }] : []),
      ...(isTaken("projectGrant", id) ? [] : others),
    ];
    return places.length > 0 ? places : [{}];
  }

  /** Ids are not inherited, except within the organization. */
  function isTaken(kind: "user" | "project" | "projectGrant", id: string): boolean {
    const things = { user: world.users, project: world.projects, projectGrant: world.projectGrants };
    const removal = world.removed.get(keyOf(kind, id));
    return !things[kind].has(id) && removal !== undefined && !may("org", removal);
  }

  function unless(permission: Permission, ...places: At[]): Permission | undefined {
    return places.every((at) => may(permission, at)) ? undefined : permission;
  }

  function may(permission: Permission, at: At): boolean {
    return has(permission, at, () => true);
  }

  /** Login clients neither move nor remove users. */
  function mayAll(permission: Permission, at: At): boolean {
    return has(permission, at, (role) => permission !== "user" || role !== "IAM_LOGIN_CLIENT");
  }

  function has(permission: Permission, at: At, counts: (role: string) => boolean): boolean {
    return [...world.administrators.values()].some(
      ({ userId, scope, roles }) =>
        userId === actorId &&
        roles.some((role) => permits(role, permission) && counts(role)) &&
        ("instance" in scope ||
          ("organizationId" in scope && scope.organizationId === at.organizationId) ||
          ("projectId" in scope && scope.projectId === at.projectId) ||
          ("projectGrantId" in scope && scope.projectGrantId === at.projectGrantId)),
    );
  }

  return { lacking, mayAll };
}
