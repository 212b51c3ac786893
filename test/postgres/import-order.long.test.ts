import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSmallWorld, createTestDatabase, type TestDatabase } from "../support/database.ts";
import { stored } from "../support/stored.ts";
import { smallWorld } from "../support/world.ts";

let ordered: TestDatabase;
const others: TestDatabase[] = [];

beforeAll(async () => {
  ordered = await createTestDatabase();
  await ordered.import(...smallWorld);
});
afterAll(() => Promise.all([ordered, ...others].map((database) => database.drop())));

test("whatever the order of the lines, the same is stored", async () => {
  const expected = await stored(ordered);
  expect(expected.authorizations).toHaveLength(6);
  const orders = fc.shuffledSubarray([...smallWorld], { minLength: smallWorld.length });
  await fc.assert(
    fc.asyncProperty(orders, async (changes) => {
      const database = await createTestDatabase();
      others.push(database);
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

test("what other tests copy or load is what an import leaves, with its events", async () => {
  const left = async (database: TestDatabase) => ({
    ...(await stored(database)),
    events: await database.query(
      "select to_jsonb(e) - '{time,request_id,transaction}'::text[] as event from events e order by authorization_id",
    ),
  });
  const [imported, copied, loaded] = [await createTestDatabase(), await createSmallWorld(), await createTestDatabase()];
  others.push(imported, copied, loaded);
  await imported.import(...smallWorld);
  await loaded.load(...smallWorld);
  const expected = await left(imported);
  expect(expected.events).toHaveLength(6);
  expect(await left(copied)).toEqual(expected);
  expect(await left(loaded)).toEqual(expected);
});
