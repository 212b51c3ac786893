import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { databaseInTest } from "../support/database.ts";
import { expectNumbersTrue } from "../support/numbers.ts";
import { compareCase } from "./compare.ts";
import { anyOperation } from "./generate-operations.ts";
import { anyWorld, mostly, root } from "./generate-world.ts";
import type { Case, Operation } from "./operations.ts";
import { openProduct } from "./product.ts";

const changing = ["create", "update", "delete", "activate", "deactivate", "batch"];
const asks = (kinds: readonly string[]) => (one: Operation) => kinds.some((kind) => kind in one);
const isRead = (one: Operation) => !asks([...changing, "offboard"])(one);

// The oracle asks for everything, so it asks little of each kind.
test.each([
  ["Changes of assignments do", "does", asks([...changing, "pass", "settle"]), 40, 15],
  ["Lists, look-ups, and checks show", "shows", isRead, 30, 50],
  // docs/reference/directory.md
  ["Directory changes do", "does", asks(["apply", "offboard", "pass", "made"]), 40, 12],
])(
  "%s in any world what the in-memory model %s",
  async (_what, _does, isAsked, cases, operations) => {
    // Mostly by one who may do everything, because most changes of the directory by anyone else are refused.
    const anyAsked = fc
      .tuple(anyOperation.filter(isAsked), mostly(true))
      .map(([one, isOwner]) => (isOwner && "apply" in one && one.as !== "import" ? { ...one, as: root.userId } : one));
    const anyCase: fc.Arbitrary<Case> = fc.record({
      imported: fc.boolean(),
      world: anyWorld,
      operations: fc.array(anyAsked, { minLength: operations, maxLength: operations }),
    });
    const database = await databaseInTest();
    const product = await openProduct(database.url);
    onTestFinished(product.stop);
    let compared = 0;
    const compare = async (one: Case) => {
      compared += await compareCase(product, one);
      await expectNumbersTrue(database);
    };
    await fc.assert(fc.asyncProperty(anyCase, compare), { seed: 1, numRuns: cases, endOnFailure: true });
    expect(compared, "answers compared").toBeGreaterThan(cases * operations);
  },
  240_000,
);
