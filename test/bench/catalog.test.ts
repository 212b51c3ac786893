import { afterAll, beforeAll, expect, test } from "vitest";
import { dropSlowing } from "../../bench/world/catalog.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test("what a world drops to load faster is made again as it was", async () => {
  const indexes = () =>
    database.query(`
      select x.indexdef, i.indisvalid from pg_indexes x
      join pg_index i on i.indexrelid = format('%I.%I', x.schemaname, x.indexname)::regclass
      where x.schemaname = 'public' order by 1`);
  const before = await indexes();
  const client = await database.connect();
  const restore = await dropSlowing(client, ["users", "events", "directory_events", "directory_event_places"]);
  expect((await indexes()).length).toBeLessThan(before.length - 10);
  await restore();
  expect(await indexes()).toEqual(before);
});
