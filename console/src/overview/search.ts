import type { JsonValue } from "@bufbuild/protobuf";

/** What the address says of the overview: filters as of the table. */
export type OverviewSearch = { readonly filters?: JsonValue };

export function readOverviewSearch({ filters }: Record<string, unknown>): OverviewSearch {
  return filters === undefined ? {} : { filters: filters as JsonValue };
}
