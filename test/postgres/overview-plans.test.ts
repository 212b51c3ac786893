import { beforeAll, expect, test } from "vitest";
import type { Scope } from "../../src/authorization/permissions.ts";
import { postgresOverview } from "../../src/postgres/overview/overview.ts";
import type { Database } from "../../src/postgres/pool/database.ts";
import type { Statement } from "../../src/postgres/pool/prepared.ts";
import { sessionSettings } from "../../src/postgres/pool/session.ts";
import { costOfPart } from "../plans/explain.ts";
import { databaseOfTests } from "../support/database.ts";

const world = `
  insert into organizations select 'o' || n, 'O' from generate_series(0, 9) n;
  insert into projects select 'p' || n, 'o' || n, 'P' from generate_series(0, 9) n;
  insert into users select 'u' || n, 'o' || n % 10, 'u', '', '' from generate_series(1, 5000) n;
  insert into authorizations (id, user_id, user_organization_id, project_id, organization_id, creation_date, change_date)
  select 'a' || n, 'u' || n, 'o' || n % 10, 'p' || n % 10, 'o' || n % 10, now(), now() from generate_series(1, 5000) n;
  analyze`;

const database = await databaseOfTests();
beforeAll(async () => {
  await database.query(world);
});

// Postgres would otherwise plan the overview again each time, which takes longer than everything else in it.
test.each<Scope>([
  { kind: "instance", id: "" },
  { kind: "organization", id: "o1" },
])("A plan of the overview for any values expects none to be due, for $kind", async (scope) => {
  const client = await database.connect();
  await client.query(sessionSettings(60_000));
  // A look into an empty index.
  expect(await costOfPart(client, await sentFor(scope), "CTE due")).toBeLessThan(5);
});

async function sentFor(scope: Scope): Promise<Statement> {
  const sent: Statement[] = [];
  const recording = { query: async (statement: Statement) => sent.push(statement) && [{ overview: {} }] };
  const { signal } = new AbortController();
  const visibility = { userId: "u1", scopes: [scope] };
  const query = { filters: [], top: 10, days: 30 };
  await postgresOverview(recording as unknown as Database).overview(visibility, query, signal);
  return sent[0] as Statement;
}
