import type { Organization, Project, Role, User } from "../authorization/authorization.ts";
import type { Page, Paging, TextMatch } from "../authorization/list.ts";
import type { Caller, Scope, Visibility } from "../authorization/permissions.ts";

/** Which things to look up, and which page, sorted by name ignoring case, then by id. */
export type LookUpQuery<Filter> = Paging<NamePosition> & {
  /** All of them must match. */
  readonly filters: readonly Filter[];
};

/** A position in the order of names: the case-folded name, the id, and for assignable projects the organization. */
export type NamePosition = { readonly name: string; readonly id: string; readonly organizationId: string };

export type LookUpPage<Thing> = Page<Thing, NamePosition>;

export type OrganizationFilter =
  | { readonly kind: "ids"; readonly ids: readonly string[] }
  | { readonly kind: "name"; readonly match: TextMatch }
  | WordFilter;

/** Finds names by the beginnings of their words. */
type WordFilter = { readonly kind: "search"; readonly text: string };

/** `inOrganizationId` finds the projects that the organization owns, or has through a grant that concerns the caller. */
export type ProjectFilter = OrganizationFilter | { readonly kind: "inOrganizationId"; readonly id: string };

/** `name` finds users by display name or login name, `search` by the words of both. */
export type UserFilter =
  | { readonly kind: "ids"; readonly ids: readonly string[] }
  | { readonly kind: "displayName" | "preferredLoginName" | "name"; readonly match: TextMatch }
  | { readonly kind: "organizationId"; readonly id: string }
  | WordFilter;

/** A project as the caller sees it. docs/reference/look-ups.md says which roles and grants that includes. */
export type FoundProject = Project & {
  /** Sorted by key, up to mostRoles. */
  readonly roles: readonly (Role & { readonly description: string })[];
  readonly totalRoles: number;
  /** Sorted by id, up to mostGrants, and fewer if their role keys are long. */
  readonly grants: readonly FoundGrant[];
  readonly totalGrants: number;
};

type FoundGrant = {
  readonly id: string;
  readonly organization: Organization;
  /** Sorted. */
  readonly roleKeys: readonly string[];
};

/** A project whose roles can be assigned in an organization, with those roles. */
export type Assignable = Pick<FoundProject, "id" | "name" | "organizationId" | "roles" | "totalRoles"> & {
  readonly place: Organization;
  /** Empty when the organization owns the project. */
  readonly projectGrantId: string;
};

export const mostRoles = 1_000;
export const mostGrants = 100;

/**
 * Finds what authorizations refer to, as far as a caller sees it. The total and the page come from the same snapshot.
 * The scopes are those in which the caller holds the permission that the call needs.
 */
export type LookUps = {
  /** Organizations in the caller's scopes, and those of its own authorizations. */
  listOrganizations(
    visibility: Visibility,
    query: LookUpQuery<OrganizationFilter>,
    signal: AbortSignal,
  ): Promise<LookUpPage<Organization>>;

  /** Projects in the caller's scopes, and those of its own authorizations. */
  listProjects(
    caller: Caller,
    query: LookUpQuery<ProjectFilter>,
    signal: AbortSignal,
  ): Promise<LookUpPage<FoundProject>>;

  /** What a caller may assign who may change authorizations in these scopes. */
  listAssignable(
    scopes: readonly Scope[],
    query: LookUpQuery<ProjectFilter>,
    signal: AbortSignal,
  ): Promise<LookUpPage<Assignable>>;

  /**
   * Users of organizations among the scopes, and users of authorizations the caller sees.
   *
   * @param visibility `"everybody"` also lists users that the caller doesn't see
   */
  listUsers(
    visibility: Visibility | "everybody",
    query: LookUpQuery<UserFilter>,
    signal: AbortSignal,
  ): Promise<LookUpPage<User>>;
};

/** Whether a filter names one user so exactly that a caller who may assign roles finds it without seeing it. */
export function namesOneUser(filter: UserFilter): boolean {
  if (filter.kind === "ids") return filter.ids.length === 1;
  return filter.kind === "preferredLoginName" && filter.match.method === "equals" && !filter.match.ignoreCase;
}
