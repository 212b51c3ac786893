import type { Authorization, State } from "./authorization.ts";

/** How a text is compared; the letters' case counts unless ignoreCase is set. */
export type TextMatch = {
  readonly text: string;
  readonly method: "equals" | "startsWith" | "contains" | "endsWith";
  readonly ignoreCase: boolean;
};

/** One condition of a list; docs/reference.md, "Filters", says what each matches. */
export type Filter =
  | { readonly kind: "authorizationIds" | "userIds"; readonly ids: readonly string[] }
  | {
      readonly kind: "userId" | "organizationId" | "userOrganizationId" | "projectId" | "projectGrantId";
      readonly id: string;
    }
  | { readonly kind: "state"; readonly state: State }
  | { readonly kind: "userLoginName" | "userDisplayName" | "projectName" | "roleKey"; readonly match: TextMatch };

export type SortColumn =
  | "creationDate"
  | "changeDate"
  | "id"
  | "userId"
  | "projectId"
  | "organizationId"
  | "userOrganizationId";

/** Which authorizations, in which order, and which part of them. */
export type ListQuery = {
  /** Joined by AND. */
  readonly filters: readonly Filter[];
  /** Ties are broken by id in the same direction. */
  readonly sort: { readonly column: SortColumn; readonly ascending: boolean };
  /** How many to skip; may be past the end. */
  readonly offset: bigint;
  /** How many to answer at most. */
  readonly limit: number;
};

export type Page = {
  /** How many authorizations match and are visible, whatever the offset and limit. */
  readonly total: number;
  readonly authorizations: readonly Authorization[];
};
