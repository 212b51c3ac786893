import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoWorld } from "../../../demo/world.ts";
import type { Scope } from "../../../src/authorization/permissions.ts";
import { listStatement } from "../../../src/postgres/list/list-authorizations.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.load(...demoWorld());
  await database.query("analyze");
  // As if there were a million: a plan for any limit then looks dearer than one for each.
  await database.query("update pg_class set reltuples = reltuples * 100 where relnamespace = 'public'::regnamespace");
  client = await database.connect();
  await client.query("set random_page_cost = 1.1");
});
afterAll(() => database.drop());

const scopes: Record<string, Scope[]> = {
  "everything there is": [{ kind: "instance" }],
  "nothing but their own": [],
};

test.each(
  Object.entries(scopes).flatMap(([title, seen]) => [1, 20, 100, 1_000].map((limit) => [title, limit, seen] as const)),
)("The list of who sees %s, %i a page, is planned for five calls and then kept", async (title, limit, scopes) => {
  const statement = listStatement(
    { userId: "ann", scopes },
    { filters: [], sort: { column: "creationDate", ascending: false }, offset: 0n, limit, skipTotal: false },
  );
  const query = { ...statement, name: `${title}, ${limit}` };
  for (let call = 0; call < 10; call += 1) await client.query(query);
  const { rows } = await client.query(
    "select generic_plans::integer as kept, custom_plans::integer as own from pg_prepared_statements where name = $1",
    [query.name],
  );
  expect(rows).toEqual([{ kept: 5, own: 5 }]);
});
