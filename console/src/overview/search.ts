import type { JsonValue } from "@bufbuild/protobuf";

/** What the address says of the overview: filters as of the table, and how much is named. */
export type OverviewSearch = {
  readonly filters?: JsonValue;
  readonly top?: number;
  readonly days?: number;
};

/** How many organizations, projects and roles can be named; the first unless the address says otherwise. */
export const tops = [10, 25, 100] as const;
/** How many of the newest days with new assignments can be shown; the first unless the address says otherwise. */
export const dayRanges = [30, 90, 366] as const;

export function readOverviewSearch({ filters, top, days }: Record<string, unknown>): OverviewSearch {
  return {
    ...(filters !== undefined && { filters: filters as JsonValue }),
    ...(isOtherThanFirst(tops, top) && { top }),
    ...(isOtherThanFirst(dayRanges, days) && { days }),
  };
}

function isOtherThanFirst(choices: readonly number[], value: unknown): value is number {
  return choices.indexOf(value as number) > 0;
}
