import fc from "fast-check";
import { anyFilters } from "./generate-lists.ts";

/** Few of each are named, so that in small worlds others are left. */
export const anyOverview = fc
  .record(
    {
      filters: fc.oneof({ weight: 1, arbitrary: fc.constant([]) }, { weight: 2, arbitrary: anyFilters }),
      top: fc.constantFrom(0, 1, 1, 2, 3, 100),
      days: fc.constantFrom(0, 1, 1, 2, 3, 366),
    },
    { requiredKeys: ["filters"] },
  )
  .map((overview) => ({ overview }));
