import type { AuthorizationsSearchFilter } from "@authorization-service/client";

type Filter = AuthorizationsSearchFilter;

/** The number of filters over all levels. */
export function countOf(filters: readonly Filter[]): number {
  return filters.reduce((sum, filter) => sum + 1 + countOf(within(filter)), 0);
}

/** The filters that a group holds. */
export function within({ filter: { case: kind, value } }: Filter): readonly Filter[] {
  if (kind === "anyOf" || kind === "allOf") return value.filters;
  return kind === "not" ? [value] : [];
}
