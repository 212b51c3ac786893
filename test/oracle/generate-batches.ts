import fc from "fast-check";
import type { Operation } from "./operations.ts";

type Batch = Extract<Operation, { batch: unknown }>["batch"];

/** Batches of what there are single calls for. Few things to name, so that an item often names what another did. */
export function anyBatch(
  anyCreate: fc.Arbitrary<{ create: unknown }>,
  anyUpdate: fc.Arbitrary<{ update: unknown }>,
  anyTargetSince: fc.Arbitrary<unknown>,
): fc.Arbitrary<{ batch: Batch }> {
  const items = fc.oneof(
    { weight: 3, arbitrary: some(anyCreate) },
    { weight: 4, arbitrary: some(anyUpdate) },
    { weight: 2, arbitrary: some(anyTargetSince.map((request) => ({ delete: request }))) },
    { weight: 1, arbitrary: some(anyTargetSince.map((request) => ({ activate: request }))) },
    { weight: 2, arbitrary: some(anyTargetSince.map((request) => ({ deactivate: request }))) },
  );
  return fc.tuple(items, fc.boolean()).map(([items, atomic]) => ({ batch: { items, atomic } as Batch }));
}

/** Some of them twice, and in any order. */
function some(anyItem: fc.Arbitrary<object>): fc.Arbitrary<object[]> {
  return fc
    .array(anyItem, { minLength: 1, maxLength: 5 })
    .chain((items) => fc.array(fc.constantFrom(...items), { maxLength: 8 }));
}
