import type { Role } from "../authorization/authorization.ts";
import type { TextMatch } from "../authorization/list.ts";
import type { Scope, Visibility } from "../authorization/permissions.ts";

/** Which things, and which part of them; sorted by name whatever its case, then by id. */
export type LookUpQuery<Filter> = {
  /** Joined by AND. */
  readonly filters: readonly Filter[];
  /** Where the page before ended; what is listed comes behind it. */
  readonly after: NamePosition | undefined;
  readonly offset: bigint;
  readonly limit: number;
  /** Leaves the total out, for those who do not need it. */
  readonly skipTotal: boolean;
};

/** A place in the order of names: the name without its case, the id, and with what is assignable the organization. */
export type NamePosition = { readonly name: string; readonly id: string; readonly organizationId: string };

export type LookUpPage<Thing> = {
  /** How many match and are visible, whatever the position, offset and limit; 0 when it is left out. */
  readonly total: number;
  /** Where the page ends; undefined when nothing comes behind it. */
  readonly next: NamePosition | undefined;
  readonly things: readonly Thing[];
};

export type OrganizationFilter =
  | { readonly kind: "ids"; readonly ids: readonly string[] }
  | { readonly kind: "name"; readonly match: TextMatch };

/** An organization has a project that it owns, or that it is granted by a grant that concerns the caller. */
export type ProjectFilter = OrganizationFilter | { readonly kind: "organizationId"; readonly id: string };

/** The name of a user is its display name or its login name. */
export type UserFilter =
  | { readonly kind: "ids"; readonly ids: readonly string[] }
  | { readonly kind: "displayName" | "loginName" | "name"; readonly match: TextMatch }
  | { readonly kind: "organizationId"; readonly id: string };

export type FoundOrganization = { readonly id: string; readonly name: string };

/** A project as the caller sees it; docs/reference/look-ups.md says which roles and grants that is. */
export type FoundProject = FoundOrganization & {
  /** The owner. */
  readonly organizationId: string;
  /** Sorted by key, up to mostRoles. */
  readonly roles: readonly Role[];
  readonly totalRoles: number;
  /** Sorted by id, up to mostGrants. */
  readonly grants: readonly FoundGrant[];
  readonly totalGrants: number;
};

export type FoundGrant = {
  readonly id: string;
  readonly organization: FoundOrganization;
  /** Sorted. */
  readonly roleKeys: readonly string[];
};

/** What can be assigned: the roles of a project that can be held in an organization. */
export type Assignable = Pick<FoundProject, "id" | "name" | "organizationId" | "roles" | "totalRoles"> & {
  readonly place: FoundOrganization;
  /** Empty when the organization owns the project. */
  readonly projectGrantId: string;
};

export type FoundUser = {
  readonly id: string;
  readonly organizationId: string;
  readonly preferredLoginName: string;
  readonly displayName: string;
  readonly avatarUrl: string;
};

export const mostRoles = 1_000;
export const mostGrants = 100;

/**
 * Finds what authorizations point at, as far as a caller sees it. The total and the page are of one moment. Scopes
 * come from entries that give the permission the call is about.
 */
export type LookUps = {
  /** Organizations in the caller's scopes, and those of its own authorizations. */
  listOrganizations(
    visibility: Visibility,
    query: LookUpQuery<OrganizationFilter>,
    signal: AbortSignal,
  ): Promise<LookUpPage<FoundOrganization>>;

  /** Projects in the caller's scopes, and those of its own authorizations. */
  listProjects(
    visibility: Visibility,
    query: LookUpQuery<ProjectFilter>,
    signal: AbortSignal,
  ): Promise<LookUpPage<FoundProject>>;

  /** What may be assigned by whoever may change authorizations in these scopes. */
  listAssignable(
    scopes: readonly Scope[],
    query: LookUpQuery<ProjectFilter>,
    signal: AbortSignal,
  ): Promise<LookUpPage<Assignable>>;

  /**
   * Users of organizations among the scopes, and users of authorizations the caller sees.
   *
   * @param visibility "everybody" lists users whether the caller sees them or not
   */
  listUsers(
    visibility: Visibility | "everybody",
    query: LookUpQuery<UserFilter>,
    signal: AbortSignal,
  ): Promise<LookUpPage<FoundUser>>;
};

/** Whether a filter names a user so exactly that whoever may assign roles finds it without seeing it. */
export function namesOneUser(filter: UserFilter): boolean {
  if (filter.kind === "ids") return filter.ids.length === 1;
  return filter.kind === "loginName" && filter.match.method === "equals" && !filter.match.ignoreCase;
}
