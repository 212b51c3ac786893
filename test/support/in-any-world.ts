import fc from "fast-check";
import { expect } from "vitest";
import { compareCase } from "../oracle/compare.ts";
import { anyOperation } from "../oracle/generate-operations.ts";
import { anyWorld, mostly, root } from "../oracle/generate-world.ts";
import type { Case, Operation } from "../oracle/operations.ts";
import { openProduct } from "../oracle/product.ts";
import { createTestDatabase } from "./database.ts";
import { expectNumbersTrue } from "./numbers.ts";

type Length = { readonly cases: number; readonly operations: number };

/**
 * Fails unless the service does in any world what the in-memory model does, and its numbers are true afterwards. The oracle asks for everything, so it asks little
 * of each kind.
 *
 * @param isAsked the operations to ask
 */
export async function expectModelIn(
  isAsked: (one: Operation) => boolean,
  { cases, operations }: Length,
): Promise<void> {
  // Mostly by one who may do everything, because most changes of the directory by anyone else are refused.
  const anyAsked = fc
    .tuple(anyOperation.filter(isAsked), mostly(true))
    .map(([one, isOwner]) => (isOwner && "apply" in one && one.as !== "import" ? { ...one, as: root.userId } : one));
  const anyCase: fc.Arbitrary<Case> = fc.record({
    imported: fc.boolean(),
    world: anyWorld,
    operations: fc.array(anyAsked, { minLength: operations, maxLength: operations }),
  });
  const database = await createTestDatabase();
  const product = await openProduct(database.url);
  let compared = 0;
  const compare = async (one: Case) => {
    compared += await compareCase(product, one);
    await expectNumbersTrue(database);
  };
  try {
    await fc.assert(fc.asyncProperty(anyCase, compare), { seed: 1, numRuns: cases, endOnFailure: true });
    expect(compared, "answers compared").toBeGreaterThan(cases * operations);
  } finally {
    await product.stop();
    await database.drop();
  }
}
