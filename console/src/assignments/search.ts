import {
  AuthorizationFieldName,
  type AuthorizationsSearchFilter,
  AuthorizationsSearchFilterSchema,
  type ListAuthorizationsRequestSchema,
} from "@authorization-service/client";
import { fromJson, type JsonValue, type MessageInitShape, toJson } from "@bufbuild/protobuf";

/** What the address says of the table. What is absent is as by default: the newest assignments, a hundred a page. */
export type AssignmentsSearch = {
  /** The service's own filters, as in its JSON, joined by AND. */
  readonly filters?: JsonValue;
  readonly sort?: Sort;
  /** From the oldest, from A or from the lowest id on. */
  readonly asc?: true;
  readonly limit?: number;
  /** The page token of the page, and how many rows come before it. */
  readonly page?: string;
  readonly skipped?: number;
  /** Columns left out. */
  readonly hidden?: readonly string[];
  /** The assignment whose panel is open. */
  readonly id?: string;
  /** The dialog for a new assignment is open, with these ids picked. */
  readonly create?: { readonly user?: string; readonly project?: string; readonly organization?: string };
};

export const sorts = {
  created: AuthorizationFieldName.CREATED_DATE,
  changed: AuthorizationFieldName.CHANGED_DATE,
  id: AuthorizationFieldName.ID,
  user: AuthorizationFieldName.USER_DISPLAY_NAME,
  project: AuthorizationFieldName.PROJECT_NAME,
  organization: AuthorizationFieldName.ORGANIZATION_NAME,
  "user-organization": AuthorizationFieldName.USER_ORGANIZATION_ID,
} as const;

export type Sort = keyof typeof sorts;

export const pageSizes = [50, 100, 250, 500, 1000] as const;
export const defaultPageSize = 100;

/** Takes what an address may say; what it cannot be is left out, but for filters, which are told of. */
export function readAssignmentsSearch(search: Record<string, unknown>): AssignmentsSearch {
  const { filters, sort, asc, limit, page, skipped, hidden, id, create } = search;
  return {
    ...(filters !== undefined && { filters: filters as JsonValue }),
    ...(isSort(sort) && sort !== "created" && { sort }),
    ...(asc === true && { asc }),
    ...(isPageSize(limit) && limit !== defaultPageSize && { limit }),
    ...(isText(page) && { page: String(page) }),
    ...(isText(page) && isCount(skipped) && { skipped }),
    ...(Array.isArray(hidden) && hidden.length > 0 && { hidden: hidden.filter((name) => typeof name === "string") }),
    ...(isText(id) && { id: String(id) }),
    ...(create !== undefined && create !== false && { create: readPreset(create) }),
  };
}

/** The filters an address gives. Throws where they are none of the service's: showing everything would be wrong. */
export function filtersOf(search: Pick<AssignmentsSearch, "filters">): AuthorizationsSearchFilter[] {
  if (search.filters === undefined) return [];
  if (!Array.isArray(search.filters)) throw new FiltersUnreadable("they are no list");
  try {
    return search.filters.map((filter) => fromJson(AuthorizationsSearchFilterSchema, filter));
  } catch (error) {
    throw new FiltersUnreadable(error instanceof Error ? error.message : String(error));
  }
}

/** The filters of an address cannot be read; the message says why. */
export class FiltersUnreadable extends Error {
  override readonly name = "FiltersUnreadable";
}

/** The same filters as an address has them; undefined for none. */
export function writtenFilters(filters: readonly AuthorizationsSearchFilter[]): JsonValue | undefined {
  return filters.length === 0
    ? undefined
    : filters.map((filter) => toJson(AuthorizationsSearchFilterSchema, filter) as JsonValue);
}

/** A search with other filters begins at the first page. */
export function withFilters(
  search: AssignmentsSearch,
  filters: readonly AuthorizationsSearchFilter[],
): AssignmentsSearch {
  const { filters: _, page: __, skipped: ___, ...rest } = search;
  const written = writtenFilters(filters);
  return { ...rest, ...(written !== undefined && { filters: written }) };
}

/** What the service is asked for the page. */
export function requestOf(
  search: AssignmentsSearch,
  filters: AuthorizationsSearchFilter[],
): MessageInitShape<typeof ListAuthorizationsRequestSchema> {
  return {
    filters,
    sortingColumn: sorts[search.sort ?? "created"],
    pagination: {
      limit: search.limit ?? defaultPageSize,
      asc: search.asc ?? false,
      pageToken: search.page ?? "",
    },
  };
}

function readPreset(create: unknown): NonNullable<AssignmentsSearch["create"]> {
  const { user, project, organization } = (create ?? {}) as Record<string, unknown>;
  const given = Object.entries({ user, project, organization }).filter(([, id]) => id !== undefined && id !== "");
  return Object.fromEntries(given.map(([name, id]) => [name, String(id)]));
}

/** What looks like a number or `true` in an address is a text as well. */
export function isText(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value) && value !== "";
}

function isSort(value: unknown): value is Sort {
  return typeof value === "string" && Object.hasOwn(sorts, value);
}

function isPageSize(value: unknown): value is number {
  return pageSizes.some((size) => size === value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
