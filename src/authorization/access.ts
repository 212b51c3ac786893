import type { Organization, Place, Project } from "./authorization.ts";
import {
  type AdministratorRole,
  type Caller,
  covers,
  everywhere,
  gives,
  holdsPermission,
  isFittingRole,
  isLimited,
  organizationPlace,
  type Permission,
  permissions,
  permissionsOfRole,
  projectPlace,
  scopesWith,
} from "./permissions.ts";

/** A scope with current names. */
export type NamedScope =
  | { readonly kind: "instance"; readonly id: string }
  | { readonly kind: "organization"; readonly id: string; readonly organization: Organization }
  | { readonly kind: "project"; readonly id: string; readonly project: Project }
  | {
      readonly kind: "projectGrant";
      readonly id: string;
      readonly project: Project;
      /** The organization the project is granted to. */
      readonly organization: Organization;
    };

/**
 * Where a permission comes from, or could come from: the roles that give it, sorted, and the scope where they apply.
 */
export type Source = {
  readonly scope: NamedScope;
  readonly roles: readonly AdministratorRole[];
  /** True if all the roles give it only with limits. */
  readonly limited?: true;
};

/** Every permission that at least one of the entries gives, with those entries in their order. */
export function heldPermissions(entries: readonly Source[]): Pick<PermissionAccess, "permission" | "sources">[] {
  return permissions
    .map((permission) => ({ permission, sources: entries.flatMap((entry) => giving(entry, permission)) }))
    .filter(({ sources }) => sources.length > 0);
}

/** The parts of an authorization that decide access to it. */
export type Explained = {
  readonly userId: string;
  readonly project: Project;
  readonly organization: Organization;
  /** Empty when the organization owns the project. */
  readonly projectGrantId: string;
};

/** Why a user sees and may change an authorization, or may not. */
type Access = {
  readonly sees: boolean;
  /** Whether it is the user's own: enough to see it, but not to change it. */
  readonly own: boolean;
  readonly permissions: readonly PermissionAccess[];
};

export type PermissionAccess = {
  readonly permission: Permission;
  readonly held: boolean;
  /** The user's entries that give it there and that the asker may know of. */
  readonly sources: readonly Source[];
  /** Whether there are entries that the asker may not know of. */
  readonly moreSources: boolean;
  /** Empty if it is held; otherwise each scope that reaches the authorization, with all roles that would give it. */
  readonly missing: readonly Source[];
};

/** Explains a user's access. It shows only entries that the asker may know of; askers know all of their own. */
export function explain(explained: Explained, user: Caller, asker: Caller): Access {
  const place = placeOf(explained);
  const scopes = scopesAround(explained).filter((scope) => covers(scope, place));
  const held = scopes.flatMap((scope) =>
    user.entries
      .filter((entry) => entry.scope.kind === scope.kind && covers(entry.scope, place))
      .map(({ roles }) => ({ scope, roles })),
  );
  const own = explained.userId === user.userId;
  // An asker may know of entries within a scope where it may read.
  const readable = scopesWith(asker, "user.grant.read");
  const mayKnowOf = (scope: NamedScope) => readable.some((its) => covers(its, areaOf(scope)));
  const permissions = onAuthorizations.map((permission) => {
    const all = held.flatMap((source) => giving(source, permission));
    const sources = all.filter(({ scope }) => user.userId === asker.userId || mayKnowOf(scope));
    return {
      permission,
      held: all.length > 0,
      sources,
      moreSources: sources.length < all.length,
      missing: all.length > 0 ? [] : scopes.flatMap((scope) => giving({ scope, roles: rolesFor(scope) }, permission)),
    };
  });
  return { sees: own || holdsPermission(user, "user.grant.read", place), own, permissions };
}

/** Where an authorization is. */
export function placeOf({ project, organization, projectGrantId }: Omit<Explained, "userId">): Place {
  return { projectId: project.id, organizationId: organization.id, projectGrantId };
}

const onAuthorizations = ["user.grant.read", "user.grant.write", "user.grant.delete"] as const;

/** The entry, with only the roles that give the permission. Empty if none does. */
function giving({ scope, roles }: Source, permission: Permission): Source[] {
  if (permission === "directory.write" && !covers(scope, everywhere)) return [];
  const some = roles.filter((role) => gives(role, permission)).sort();
  if (some.length === 0) return [];
  return [
    some.every((role) => isLimited(role, permission)) ? { scope, roles: some, limited: true } : { scope, roles: some },
  ];
}

/** The place of a scope, as if it were an authorization: an entry that reaches this place reaches all of the scope. */
function areaOf(scope: NamedScope): Place {
  switch (scope.kind) {
    case "instance":
      return everywhere;
    case "organization":
      return organizationPlace(scope.id);
    case "project":
      return projectPlace(scope.id, scope.project.organizationId);
    case "projectGrant":
      return placeOf({ ...scope, projectGrantId: scope.id });
  }
}

/** The scopes around an authorization, whether or not they reach it, sorted like entries. */
function scopesAround({ project, organization, projectGrantId }: Explained): NamedScope[] {
  const around: NamedScope[] = [
    { kind: "instance", id: "" },
    { kind: "organization", id: organization.id, organization },
    { kind: "project", id: project.id, project },
  ];
  return projectGrantId === ""
    ? around
    : [...around, { kind: "projectGrant", id: projectGrantId, project, organization }];
}

function rolesFor(scope: NamedScope): AdministratorRole[] {
  return Object.keys(permissionsOfRole).filter((role) => isFittingRole(role, scope));
}
