import {
  administratorRoles,
  allPermissions,
  compareScopes,
  entriesWith,
  fits,
  holds,
  nameOf,
  type Permission,
  permits,
  reaches,
  sees,
} from "./permissions.ts";
import { Refused } from "./refused.ts";
import type { Administrator, Authorization, Place, Scope, World } from "./world.ts";

export type ExplainAccessRequest = { authorizationId: string; userId?: string };

/** The body the service is to answer with. */
export function getCaller(world: World, callerId: string): object {
  return {
    user: world.users.get(callerId),
    permissions: allPermissions
      .map((permission) => {
        const entries = entriesWith(world, callerId, permission).filter(
          ({ scope }) => permission !== "directory" || "instance" in scope,
        );
        return { permission: nameOf(permission), sources: sourcesOf(world, entries, permission) };
      })
      .filter(({ sources }) => sources.length > 0),
    administratorRoles: administratorRoles.map((role) => ({
      role,
      permissions: allPermissions.filter((permission) => permits(role, permission)).map(nameOf),
    })),
  };
}

/** The body the service is to answer with. */
export function explainAccess(
  world: World,
  callerId: string,
  { authorizationId, userId }: ExplainAccessRequest,
): object {
  const authorization = world.authorizations.get(authorizationId);
  if (authorization === undefined || !sees(world, callerId, authorization)) {
    throw new Refused("AUTHORIZATION_NOT_FOUND", {});
  }
  const about = userId || callerId;
  if (about !== callerId) {
    if (!holds(world, callerId, "read", authorization)) {
      throw new Refused("PERMISSION_DENIED", { permission: nameOf("read") });
    }
    if (!mayKnow(world, callerId, about)) throw new Refused("USER_NOT_FOUND", {});
  }
  return {
    user: world.users.get(about),
    sees: sees(world, about, authorization),
    own: authorization.userId === about,
    permissions: (["read", "write", "delete"] as const).map((permission) =>
      explain(world, callerId, about, authorization, permission),
    ),
  };
}

function explain(world: World, askerId: string, userId: string, authorization: Authorization, permission: Permission) {
  const entries = entriesWith(world, userId, permission).filter(({ scope }) => reaches(scope, authorization));
  const shown = entries.filter(({ scope }) => userId === askerId || mayKnowOf(world, askerId, scope));
  const held = holds(world, userId, permission, authorization);
  return {
    permission: nameOf(permission),
    held,
    sources: sourcesOf(world, shown, permission),
    moreSources: shown.length < entries.length,
    missing: held ? [] : wouldGive(world, authorization, permission),
  };
}

/** Whether it can be told from a user that does not exist. */
export function mayKnow(world: World, askerId: string, userId: string): boolean {
  const user = world.users.get(userId);
  if (user === undefined) return false;
  if (userId === askerId || entriesWith(world, askerId, "write").length > 0) return true;
  const readsThere = entriesWith(world, askerId, "read").some(
    ({ scope }) => "instance" in scope || ("organizationId" in scope && scope.organizationId === user.organizationId),
  );
  return (
    readsThere || [...world.authorizations.values()].some((row) => row.userId === userId && sees(world, askerId, row))
  );
}

/** Whether an entry lies within a scope that the asker may read in. */
export function mayKnowOf(world: World, askerId: string, inner: Scope): boolean {
  return entriesWith(world, askerId, "read").some(({ scope: outer }) => {
    if ("instance" in outer) return true;
    if ("instance" in inner) return false;
    if ("organizationId" in outer) return organizationOf(world, inner) === outer.organizationId;
    if ("projectId" in outer) return "projectId" in inner && inner.projectId === outer.projectId;
    return "projectGrantId" in inner && inner.projectGrantId === outer.projectGrantId;
  });
}

/** The one it is, the one that owns the project, or the one the project is granted to. */
function organizationOf(world: World, scope: Exclude<Scope, { instance: true }>): string | undefined {
  if ("organizationId" in scope) return scope.organizationId;
  if ("projectId" in scope) return world.projects.get(scope.projectId)?.organizationId;
  return world.projectGrants.get(scope.projectGrantId)?.organizationId;
}

function wouldGive(
  world: World,
  { projectId, organizationId, projectGrantId }: Place,
  permission: Permission,
): object[] {
  const scopes: Scope[] = [
    { instance: true },
    { organizationId },
    projectGrantId === "" ? { projectId } : { projectGrantId },
  ];
  const entries = scopes.map((scope) => ({ scope, roles: administratorRoles.filter((role) => fits(role, scope)) }));
  return sourcesOf(world, entries, permission);
}

function sourcesOf(world: World, entries: Pick<Administrator, "scope" | "roles">[], permission: Permission): object[] {
  return [...entries]
    .sort((one, other) => compareScopes(one.scope, other.scope))
    .map(({ scope, roles }) => {
      const giving = roles.filter((role) => permits(role, permission)).sort();
      // It creates and changes users, and neither moves nor removes them.
      const isLimited = permission === "user" && giving.join() === "IAM_LOGIN_CLIENT";
      return { scope: named(world, scope), roles: giving, ...(isLimited ? { limited: true } : {}) };
    });
}

/** A scope with its names. */
export function named(world: World, scope: Scope): object {
  if ("instance" in scope) return { instance: true };
  if ("organizationId" in scope) return { organization: world.organizations.get(scope.organizationId) };
  if ("projectId" in scope) return { project: world.projects.get(scope.projectId) };
  const { id, projectId, organizationId } = world.projectGrants.get(scope.projectGrantId) ?? {};
  return {
    projectGrant: {
      id,
      project: world.projects.get(projectId ?? ""),
      organization: world.organizations.get(organizationId ?? ""),
    },
  };
}
