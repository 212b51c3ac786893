import type { SortColumn } from "../../src/authorization/list.ts";
import type { kinds } from "./callers.ts";

/** Lists that may examine more rows than their bound. */
export type Exception = {
  /** The names of the filters, as test/plans/filters.ts has them. */
  readonly filters: readonly string[];
  /** Undefined for all. */
  readonly callers?: readonly (typeof kinds)[number][];
  /** Undefined for all. */
  readonly sorts?: readonly SortColumn[];
  readonly why: string;
  /** What the worst of them costs in a world of one million, when it was measured. */
  readonly rows: number;
  readonly milliseconds: number;
};

export const exceptions: readonly Exception[] = [];
