import fc from "fast-check";
import { anyTarget } from "./generate-names.ts";
import { callers } from "./generate-world.ts";

export const anyGetCaller = fc.constant({ getCaller: {} });

export const anyExplainAccess = fc
  .record({
    target: anyTarget,
    about: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom("", "its") },
      { weight: 6, arbitrary: fc.constantFrom(...callers) },
      { weight: 1, arbitrary: fc.constantFrom("nobody", "BOB", "\u{1f601}") },
    ),
  })
  .map((explainAccess) => ({ explainAccess }));
