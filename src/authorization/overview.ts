import type { Organization, Project, Role, State } from "./authorization.ts";
import type { Filter } from "./list.ts";
import type { Visibility } from "./permissions.ts";

/**
 * Counts the authorizations that match and are visible. All numbers are exact and come from the same snapshot. Signals and
 * refusals are those of AuthorizationStore.
 */
export type ReadOverview = (visibility: Visibility, query: OverviewQuery, signal: AbortSignal) => Promise<Overview>;

export type OverviewQuery = {
  /** All of them must match. */
  readonly filters: readonly Filter[];
  /** The maximum number of organizations, projects and roles to list. */
  readonly top: number;
  /** The maximum number of days to list. */
  readonly days: number;
};

/** Largest counts come first, ties by id. Only states can have a count of 0. */
export type Overview = {
  readonly total: number;
  readonly organizations: readonly { readonly organization: Organization; readonly count: number }[];
  /** How many are in organizations that are not listed. */
  readonly inOtherOrganizations: number;
  readonly projects: readonly { readonly project: Project; readonly count: number }[];
  /** How many are for projects that are not listed. */
  readonly forOtherProjects: number;
  readonly roles: readonly {
    readonly project: Project;
    readonly role: Role;
    readonly count: number;
  }[];
  /** How many times authorizations have roles that are not listed. */
  readonly ofOtherRoles: number;
  /** Both states, active first. */
  readonly states: readonly { readonly state: State; readonly count: number }[];
  /**
   * The latest days with new authorizations, in UTC, such as `2026-01-31`, newest first. Only days that were counted
   * completely: at most 100,000 of the authorizations were created on each of them and on later days.
   */
  readonly days: readonly { readonly day: string; readonly count: number }[];
  /** How many were created on days that are not listed. */
  readonly onEarlierDays: number;
  /** How many of the active ones end within 7 and 30 times 24 hours: exact up to 100,000, and 100,001 for more. */
  readonly endingIn7Days: number;
  readonly endingIn30Days: number;
  /** Whether more than 100,000 were created on the newest day alone, so that no day is listed. */
  readonly newestDayExceedsLimit: boolean;
};
