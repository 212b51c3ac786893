import fc from "fast-check";
import { anyOperation } from "./generate-operations.ts";
import { anyWorld } from "./generate-world.ts";
import type { Case } from "./operations.ts";

/** A world and what is asked of it, so many things at most. */
export function anyCase(maxLength: number): fc.Arbitrary<Case> {
  return fc.record({
    imported: fc.integer({ min: 0, max: 9 }).map((roll) => roll === 0),
    world: anyWorld,
    operations: fc.array(anyOperation, { minLength: 1, maxLength, size: "max" }),
  });
}
