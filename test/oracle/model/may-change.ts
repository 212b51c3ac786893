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
    const lacking = new Judge(world, actorId, changes).lacking(change);
    if (lacking === undefined) continue;
    throw new Refused("PERMISSION_DENIED", { permission: nameOf(lacking), index: String(index) });
  }
}

/** What the caller lacks for a single change, if anything. */
export function lackingFor(world: World, actorId: string, change: Change): Permission | undefined {
  return new Judge(world, actorId, [change]).lacking(change);
}

/** Whether the caller may remove users where this one is. What else the user has doesn't matter. */
export function mayRemoveUser(world: World, actorId: string, userId: string): boolean {
  const organizationId = world.users.get(userId)?.organizationId;
  return new Judge(world, actorId, []).mayAll("user", organizationId === undefined ? {} : { organizationId });
}

/** Whether the caller may remove users everywhere. */
export function mayRemoveEveryone(world: World, actorId: string): boolean {
  return new Judge(world, actorId, []).mayAll("user", {});
}

class Judge {
  readonly #world: World;
  readonly #actorId: string;
  readonly #changes: readonly Change[];

  constructor(world: World, actorId: string, changes: readonly Change[]) {
    this.#world = world;
    this.#actorId = actorId;
    this.#changes = changes;
  }

  lacking(change: Change): Permission | undefined {
    const world = this.#world;
    if (this.#may("directory", {})) return undefined;
    if ("remove" in change) return this.#lackingToRemove(change.remove);
    if ("organization" in change) return this.#unless("org", { organizationId: change.organization.id });
    if ("user" in change) return this.#lackingForUser(change.user);
    if ("project" in change) {
      const { id } = change.project;
      return this.#isTaken("project", id) ? "project" : this.#unless("project", ...this.#project(id));
    }
    if ("projectRole" in change) return this.#unless("role", ...this.#project(change.projectRole.projectId));
    if ("projectGrant" in change) {
      const { id, projectId } = change.projectGrant;
      const stored = world.projectGrants.get(id);
      if (this.#isTaken("projectGrant", id)) return "grant";
      return this.#unless("grant", ...this.#project(projectId), ...(stored ? this.#owned(stored.projectId) : []));
    }
    if ("administrator" in change) {
      const { userId, roles } = change.administrator;
      return this.#lackingForEntry(userId, scopeOf(change.administrator), roles);
    }
    return "directory";
  }

  #lackingToRemove(removal: Removal): Permission | undefined {
    const world = this.#world;
    if ("organizationId" in removal) {
      const members = [...world.users.values()].filter((user) => user.organizationId === removal.organizationId);
      return this.#unless("org", removal) ?? this.#lackingToReach(members.map(({ id }) => id));
    }
    if ("userId" in removal) {
      const stored = world.users.get(removal.userId);
      if (!this.mayAll("user", stored ? { organizationId: stored.organizationId } : {})) return "user";
      return this.#lackingToReach([removal.userId]);
    }
    if ("projectId" in removal) return this.#unless("project", ...this.#project(removal.projectId));
    if ("projectRole" in removal) return this.#unless("role", ...this.#project(removal.projectRole.projectId));
    if ("projectGrantId" in removal) {
      const grant = world.projectGrants.get(removal.projectGrantId);
      return this.#unless("grant", ...(grant ? this.#owned(grant.projectId) : [{}]));
    }
    if ("administrator" in removal) {
      return this.#lackingForEntry(removal.administrator.userId, scopeOf(removal.administrator), []);
    }
    return "directory";
  }

  #lackingForUser({ id, organizationId }: { id: string; organizationId: string }): Permission | undefined {
    const stored = this.#world.users.get(id);
    if (stored === undefined) return this.#isTaken("user", id) ? "user" : this.#unless("user", { organizationId });
    const isMoved = stored.organizationId !== organizationId;
    const places = [{ organizationId: stored.organizationId }, { organizationId }];
    if (!places.every((at) => (isMoved ? this.mayAll("user", at) : this.#may("user", at)))) return "user";
    return this.#lackingToReach([id]);
  }

  /** The instance counts first, for any of the users. */
  #lackingToReach(userIds: readonly string[]): Permission | undefined {
    const entries = [...this.#world.administrators.values()].filter(({ userId }) => userIds.includes(userId));
    if (entries.some(({ scope }) => "instance" in scope)) return "directory";
    const own = entries.filter(
      ({ userId, scope }) =>
        "organizationId" in scope && scope.organizationId === this.#world.users.get(userId)?.organizationId,
    );
    return own.every(({ scope }) => this.#may("administrator", scope as At)) ? undefined : "administrator";
  }

  #lackingForEntry(userId: string, scope: Scope, roles: readonly string[]): Permission | undefined {
    if ("instance" in scope) return "directory";
    const places =
      "organizationId" in scope
        ? [scope]
        : "projectId" in scope
          ? this.#project(scope.projectId)
          : this.#grant(scope.projectGrantId);
    const lacking = this.#unless("administrator", ...places);
    if (lacking !== undefined) return lacking;
    const stored = this.#world.administrators.get(keyOf(userId, scope))?.roles ?? [];
    const concerned = [...roles, ...stored].filter((role) => fits(role, scope));
    return allPermissions.find(
      (permission) =>
        concerned.some((role) => permits(role, permission)) && !places.every((at) => this.mayAll(permission, at)),
    );
  }

  /** Of the owner's side. What the request adds counts, too, unless that is where it is already. */
  #project(id: string): At[] {
    const stored = this.#owned(id);
    const given = this.#changes.flatMap((change) =>
      "project" in change && change.project.id === id ? [{ organizationId: change.project.organizationId }] : [],
    );
    const others = given.filter(({ organizationId }) => organizationId !== stored[0]?.organizationId);
    const places = [...stored, ...(this.#isTaken("project", id) ? [] : others)];
    return places.length > 0 ? places : [{}];
  }

  #owned(projectId: string): At[] {
    const project = this.#world.projects.get(projectId);
    return project ? [{ projectId, organizationId: project.organizationId }] : [];
  }

  /** Of the granted side. */
  #grant(id: string): At[] {
    const stored = this.#world.projectGrants.get(id);
    const given = this.#changes.flatMap((change) =>
      "projectGrant" in change && change.projectGrant.id === id ? [change.projectGrant] : [],
    );
    const others = given
      .filter((grant) => grant.projectId !== stored?.projectId || grant.organizationId !== stored.organizationId)
      .map(({ organizationId }) => ({ organizationId }));
    const places = [
      ...(stored ? [{ projectGrantId: id, organizationId: stored.organizationId }] : []),
      ...(this.#isTaken("projectGrant", id) ? [] : others),
    ];
    return places.length > 0 ? places : [{}];
  }

  /** Ids are not inherited, except within the organization. */
  #isTaken(kind: "user" | "project" | "projectGrant", id: string): boolean {
    const things = { user: this.#world.users, project: this.#world.projects, projectGrant: this.#world.projectGrants };
    const removal = this.#world.removed.get(keyOf(kind, id));
    return !things[kind].has(id) && removal !== undefined && !this.#may("org", removal);
  }

  #unless(permission: Permission, ...places: At[]): Permission | undefined {
    return places.every((at) => this.#may(permission, at)) ? undefined : permission;
  }

  #may(permission: Permission, at: At): boolean {
    return this.#has(permission, at, () => true);
  }

  /** Login clients neither move nor remove users. */
  mayAll(permission: Permission, at: At): boolean {
    return this.#has(permission, at, (role) => permission !== "user" || role !== "IAM_LOGIN_CLIENT");
  }

  #has(permission: Permission, at: At, counts: (role: string) => boolean): boolean {
    return [...this.#world.administrators.values()].some(
      ({ userId, scope, roles }) =>
        userId === this.#actorId &&
        roles.some((role) => permits(role, permission) && counts(role)) &&
        ("instance" in scope ||
          ("organizationId" in scope && scope.organizationId === at.organizationId) ||
          ("projectId" in scope && scope.projectId === at.projectId) ||
          ("projectGrantId" in scope && scope.projectGrantId === at.projectGrantId)),
    );
  }
}
