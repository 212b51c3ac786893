import {
  AuthorizationFieldName,
  type AuthorizationsSearchFilter,
  AuthorizationsSearchFilterSchema,
  type ListAuthorizationsRequestSchema,
} from "@authorization-service/client";
import { fromJson, type JsonValue, type MessageInitShape, toJson } from "@bufbuild/protobuf";

/** The table's parameters in the address. By default, it shows the newest assignments, a hundred per page. */
export type AssignmentsSearch = {
  /** The service's own filters, as in its JSON. All of them must match. */
  readonly filters?: JsonValue;
  readonly sort?: Sort;
  /** Ascending order: oldest, from A, or lowest id first. */
  readonly asc?: true;
  readonly limit?: number;
  /** The page token of the page, and how many rows come before it. */
  readonly page?: string;
  readonly skipped?: number;
  /** Hidden columns. */
  readonly hidden?: readonly string[];
  /** The assignment whose panel is open. */
  readonly id?: string;
  /** Opens the dialog for a new assignment, with these ids picked. */
  readonly create?: {
    readonly user?: string;
    readonly project?: string;
    readonly organization?: string;
    readonly role?: string;
  };
};

export const sorts = {
  created: AuthorizationFieldName.CREATED_DATE,
  changed: AuthorizationFieldName.CHANGED_DATE,
  id: AuthorizationFieldName.ID,
  user: AuthorizationFieldName.USER_DISPLAY_NAME,
  project: AuthorizationFieldName.PROJECT_NAME,
  organization: AuthorizationFieldName.ORGANIZATION_NAME,
  ends: AuthorizationFieldName.EXPIRATION_DATE,
  "user-organization": AuthorizationFieldName.USER_ORGANIZATION_ID,
} as const;

export type Sort = keyof typeof sorts;

export const pageSizes = [50, 100, 250, 500, 1000] as const;
export const defaultPageSize = 100;

/** Reads the parameters of an address. Drops invalid ones, except for filters, which are reported. */
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

/** Reads the filters of an address. Throws if they are not valid, because showing everything would be wrong. */
export function filtersOf(search: Pick<AssignmentsSearch, "filters">): AuthorizationsSearchFilter[] {
  if (search.filters === undefined) return [];
  if (!Array.isArray(search.filters)) throw new FiltersUnreadable("they are no list");
  try {
    return search.filters.map((filter) => fromJson(AuthorizationsSearchFilterSchema, filter));
  } catch (error) {
    throw new FiltersUnreadable(error instanceof Error ? error.message : String(error));
  }
}

/** Thrown if the filters of an address can't be read. The message says why. */
export class FiltersUnreadable extends Error {
  override readonly name = "FiltersUnreadable";
}

/** The filters in the format of the address; undefined if there are none. */
export function writtenFilters(filters: readonly AuthorizationsSearchFilter[]): JsonValue | undefined {
  return filters.length === 0
    ? undefined
    : filters.map((filter) => toJson(AuthorizationsSearchFilterSchema, filter) as JsonValue);
}

/** The parameters with other filters, on the first page. */
export function withFilters<Search extends AssignmentsSearch>(
  search: Search,
  filters: readonly AuthorizationsSearchFilter[],
): Search {
  const { filters: _, page: __, skipped: ___, ...rest } = search;
  const written = writtenFilters(filters);
  return { ...rest, ...(written !== undefined && { filters: written }) } as Search;
}

/** The request for the page. */
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
  const { user, project, organization, role } = (create ?? {}) as Record<string, unknown>;
  const given = Object.entries({ user, project, organization, role }).filter(([, id]) => id !== undefined && id !== "");
  return Object.fromEntries(given.map(([name, id]) => [name, String(id)]));
}

/** Texts that look like a number or `true` in an address are texts, too. */
export function isText(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value) && value !== "";
}

export function isSort(value: unknown): value is Sort {
  return typeof value === "string" && Object.hasOwn(sorts, value);
}

function isPageSize(value: unknown): value is number {
  return pageSizes.some((size) => size === value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
