import type { JsonValue } from "@bufbuild/protobuf";

/** The overview's parameters in the address: the same filters as the table, and how much is listed. */
export type OverviewSearch = {
  readonly filters?: JsonValue;
  readonly top?: number;
  readonly days?: number;
};

/** The choices for the number of organizations, projects and roles. The first one is the default. */
export const tops = [10, 25, 100] as const;
/** The choices for the number of days with new assignments. The first one is the default. */
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
