import type { Authorization, Instant, State } from "./authorization.ts";

/** How a text is compared; the letters' case counts unless ignoreCase is set. */
export type TextMatch = {
  readonly text: string;
  readonly method: "equals" | "startsWith" | "contains" | "endsWith";
  readonly ignoreCase: boolean;
};

/** Moments from the first, which is among them, to the second, which is not; either may be left out. */
export type DateRange = { readonly from: Instant | undefined; readonly to: Instant | undefined };

/** One condition of a list; docs/reference/lists-and-filters.md says what each matches. */
export type Filter =
  | SimpleFilter
  | { readonly kind: "anyOf" | "allOf"; readonly filters: readonly Filter[] }
  | { readonly kind: "not"; readonly filter: Filter };

/** One that nests no others. */
export type SimpleFilter = {
  [Kind in keyof FilterValues]: { readonly kind: Kind } & FilterValues[Kind];
}[keyof FilterValues];

/** Every kind of those, and what it compares with. */
export type FilterValues = {
  readonly authorizationIds: Ids;
  readonly userIds: Ids;
  readonly projectIds: Ids;
  readonly userId: Id;
  readonly organizationId: Id;
  readonly userOrganizationId: Id;
  readonly projectId: Id;
  readonly projectGrantId: Id;
  readonly state: { readonly state: State };
  readonly created: Range;
  readonly changed: Range;
  readonly roleKeys: { readonly keys: readonly string[] };
} & { readonly [Kind in TextFilterKind]: { readonly match: TextMatch } };

type Ids = { readonly ids: readonly string[] };
type Id = { readonly id: string };
type Range = { readonly range: DateRange };

export type TextFilterKind = "userLoginName" | "userDisplayName" | "projectName" | "organizationName" | "roleKey";

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
  /** Where the page before ended; what is listed comes behind it. */
  readonly after?: Position | undefined;
  /** How many to skip; may be past the end. */
  readonly offset: bigint;
  /** How many to answer at most. */
  readonly limit: number;
  /** Leaves the total out, for those who do not need it. */
  readonly skipTotal?: boolean;
};

/** A place in an order: what is sorted by, and the id that breaks ties. */
export type Position = { readonly key: string | Instant; readonly id: string };

export type Page = {
  /** How many authorizations match and are visible, whatever the position, offset and limit; 0 when it is left out. */
  readonly total: number;
  /** Whether anything comes behind the page. */
  readonly more: boolean;
  readonly authorizations: readonly Authorization[];
};

/** The place of an authorization in the order of a column. */
export function positionOf(authorization: Authorization, column: SortColumn): Position {
  return { key: keyOf(authorization, column), id: authorization.id };
}

function keyOf(authorization: Authorization, column: SortColumn): Position["key"] {
  switch (column) {
    case "creationDate":
    case "changeDate":
      return authorization[column];
    case "id":
      return authorization.id;
    case "userId":
      return authorization.user.id;
    case "projectId":
      return authorization.project.id;
    case "organizationId":
      return authorization.organization.id;
    case "userOrganizationId":
      return authorization.user.organizationId;
  }
}
