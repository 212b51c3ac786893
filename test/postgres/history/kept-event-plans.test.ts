import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoWorld } from "../../../demo/world.ts";
import type { EventFilter } from "../../../src/authorization/history.ts";
import type { Caller } from "../../../src/authorization/permissions.ts";
import type { DirectoryEventFilter } from "../../../src/directory/history.ts";
import { assignmentEvents } from "../../../src/postgres/history/assignment-events.ts";
import { directoryEvents } from "../../../src/postgres/history/directory-events.ts";
import { historyStatement } from "../../../src/postgres/history/list-history.ts";
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

const owner: Caller = { userId: "ann", entries: [{ scope: { kind: "instance" }, roles: ["IAM_OWNER"] }] };
const plain: Caller = { userId: "ann", entries: [] };
const everything: EventFilter[] = [];

test.each(
  [
    ["everything", owner, everything] as const,
    ["one user", owner, [{ kind: "userId", id: "bob" }]] as const,
    ["one assignment", owner, [{ kind: "authorizationId", id: "a-00001" }]] as const,
    ["one thing of the directory", owner, [{ kind: "id", id: "bob" }] as DirectoryEventFilter[]] as const,
    ["what a user without rights sees", plain, everything] as const,
  ].flatMap(([title, caller, filters]) => [1, 20, 100].map((limit) => [title, limit, caller, filters] as const)),
)("The history of %s, %i a page, is planned for five calls and then kept", async (title, limit, caller, filters) => {
  const query = { ascending: false, offset: 0n, limit, skipTotal: false };
  const statements = [
    ...(title.endsWith("of the directory")
      ? []
      : [historyStatement(assignmentEvents, caller, { ...query, filters: filters as [] })]),
    ...(title === "one assignment"
      ? []
      : [historyStatement(directoryEvents, caller, { ...query, filters: filters as [] })]),
  ];
  for (const [index, statement] of statements.entries()) {
    const named = { ...statement, name: `${index}, ${title}, ${limit}` } as pg.QueryConfig;
    for (let call = 0; call < 10; call += 1) await client.query(named);
    const { rows } = await client.query(
      "select generic_plans::integer as kept, custom_plans::integer as own from pg_prepared_statements where name = $1",
      [named.name],
    );
    expect(rows).toEqual([{ kept: 5, own: 5 }]);
  }
});
