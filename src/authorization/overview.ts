import type { Authorization, Role, State } from "./authorization.ts";
import type { Filter } from "./list.ts";
import type { Visibility } from "./permissions.ts";

/** Where authorizations are counted. Calls end with their signal and refuse as those of AuthorizationStore do. */
export type OverviewStore = {
  /** Counts what matches and is visible. All numbers are exact and of one moment. */
  overview(visibility: Visibility, query: OverviewQuery, signal: AbortSignal): Promise<Overview>;
};

export type OverviewQuery = {
  /** Joined by AND. */
  readonly filters: readonly Filter[];
  /** How many organizations, projects and roles to name at most. */
  readonly top: number;
  /** How many days to name at most. */
  readonly days: number;
};

/** Those with most come first, of as many those with the lower id. Nothing that is named counts 0, but a state may. */
export type Overview = {
  readonly total: number;
  readonly organizations: readonly { readonly organization: Authorization["organization"]; readonly count: number }[];
  /** How many are in organizations that are not named. */
  readonly inOtherOrganizations: number;
  readonly projects: readonly { readonly project: Authorization["project"]; readonly count: number }[];
  /** How many are for projects that are not named. */
  readonly forOtherProjects: number;
  readonly roles: readonly {
    readonly project: Authorization["project"];
    readonly role: Role;
    readonly count: number;
  }[];
  /** How many times roles that are not named are held. */
  readonly ofOtherRoles: number;
  /** Both, the active one first. */
  readonly states: readonly { readonly state: State; readonly count: number }[];
  /** The newest days on which any was created, in UTC and as `2026-01-31`, newest first. */
  readonly days: readonly { readonly day: string; readonly count: number }[];
  /** How many were created on days before those. */
  readonly onEarlierDays: number;
};
