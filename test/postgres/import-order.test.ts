import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { stored } from "../support/stored.ts";
import { smallWorld } from "../support/world.ts";

let ordered: TestDatabase;
const shuffled: TestDatabase[] = [];

beforeAll(async () => {
  ordered = await createTestDatabase();
  await ordered.import(...smallWorld);
});
afterAll(() => Promise.all([ordered, ...shuffled].map((database) => database.drop())));

test("whatever the order of the lines, the same is stored", async () => {
  const expected = await stored(ordered);
  expect(expected.authorizations).toHaveLength(6);
  const orders = fc.shuffledSubarray([...smallWorld], { minLength: smallWorld.length });
  await fc.assert(
    fc.asyncProperty(orders, async (changes) => {
      const database = await createTestDatabase();
      shuffled.push(database);
      await database.import(...changes);
      expect(await stored(database)).toEqual(expected);
    }),
    { seed: 20_260_131, numRuns: 12 },
  );
});

test("whatever the order of the lines, importing them again changes nothing", async () => {
  const expected = await stored(ordered);
  const orders = fc.shuffledSubarray([...smallWorld], { minLength: smallWorld.length });
  await fc.assert(
    fc.asyncProperty(orders, async (changes) => {
      await ordered.import(...changes);
      expect(await stored(ordered)).toEqual(expected);
    }),
    { seed: 20_260_131, numRuns: 12 },
  );
});
