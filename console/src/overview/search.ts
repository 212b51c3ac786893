import type { JsonValue } from "@bufbuild/protobuf";

/** The overview's parameters in the address: the same filters as the table, and how many days are listed. */
export type OverviewSearch = {
  readonly filters?: JsonValue;
  readonly days?: number;
};

/** The choices for the number of days with new assignments. The first one is the default. */
export const dayRanges = [30, 90, 366] as const;

export function readOverviewSearch({ filters, days }: Record<string, unknown>): OverviewSearch {
  return {
    ...(filters !== undefined && { filters: filters as JsonValue }),
    ...(dayRanges.slice(1).some((range) => range === days) && { days: days as number }),
  };
}
