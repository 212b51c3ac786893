import type { Authorization, Instant, State } from "./authorization.ts";

/** How a text is compared. Case matters unless ignoreCase is set. */
export type TextMatch = {
  readonly text: string;
  readonly method: "equals" | "startsWith" | "contains" | "endsWith";
  readonly ignoreCase: boolean;
};

/** From the first, inclusive, to the second, exclusive. Either may be undefined. */
export type DateRange = { readonly from: Instant | undefined; readonly to: Instant | undefined };

/** One condition of a list. docs/reference/lists-and-filters.md says what each one matches. */
export type Filter =
  | SimpleFilter
  | { readonly kind: "anyOf" | "allOf"; readonly filters: readonly Filter[] }
  | { readonly kind: "not"; readonly filter: Filter };

/** A filter that nests no others. */
export type SimpleFilter = {
  [Kind in keyof FilterValues]: { readonly kind: Kind } & FilterValues[Kind];
}[keyof FilterValues];

/** Every kind of simple filter, by its name in the API, with the values it compares with. */
export type FilterValues = {
  readonly authorizationIds: Ids;
  readonly inUserIds: Ids;
  readonly projectIds: Ids;
  readonly userId: Id;
  readonly organizationId: Id;
  readonly userOrganizationId: Id;
  readonly projectId: Id;
  readonly projectGrantId: Id;
  readonly state: { readonly state: State };
  readonly created: Range;
  readonly changed: Range;
  readonly expires: Range;
  readonly roleKeys: { readonly keys: readonly string[] };
} & { readonly [Kind in TextFilterKind]: { readonly match: TextMatch } };

type Ids = { readonly ids: readonly string[] };
type Id = { readonly id: string };
type Range = { readonly range: DateRange };

export type TextFilterKind =
  | "userPreferredLoginName"
  | "userDisplayName"
  | "projectName"
  | "organizationName"
  | "roleKey";

/** What lists can be sorted by, by its name in the API. */
export const sortColumns = {
  CREATED_DATE: "creationDate",
  CHANGED_DATE: "changeDate",
  ID: "id",
  USER_ID: "userId",
  PROJECT_ID: "projectId",
  ORGANIZATION_ID: "organizationId",
  USER_ORGANIZATION_ID: "userOrganizationId",
  USER_DISPLAY_NAME: "userDisplayName",
  PROJECT_NAME: "projectName",
  ORGANIZATION_NAME: "organizationName",
  EXPIRATION_DATE: "expirationDate",
} as const;

export type SortColumn = (typeof sortColumns)[keyof typeof sortColumns];

/** Which authorizations to list, in which order, and which page. */
export type ListQuery = Paging<Position> & {
  /** All of them must match. */
  readonly filters: readonly Filter[];
  readonly sort: Sort;
};

/** Ties are broken by id in the same direction. Authorizations without an end come after those with one in both directions. */
export type Sort = { readonly column: SortColumn; readonly ascending: boolean };

/** Which page of a list. */
export type Paging<Position> = {
  /** Where the previous page ended. */
  readonly after?: Position | undefined;
  /** How many rows to skip; may be past the end. */
  readonly offset: bigint;
  /** The maximum number of rows. */
  readonly limit: number;
  /** Skips counting the total. */
  readonly skipTotal?: boolean;
};

/** A position in an order: the value sorted by (for names, the case-folded form), and the id that breaks ties. */
export type Position = { readonly key: string | Instant; readonly id: string };

/** A page of any list. */
export type Page<Item, Position> = {
  /** How many match and are visible, on all pages together; 0 if counting is skipped. */
  readonly total: number;
  /** Where the page ends; undefined if there is no next page. */
  readonly next: Position | undefined;
  readonly items: readonly Item[];
};

export type AuthorizationPage = Page<Authorization, Position>;
