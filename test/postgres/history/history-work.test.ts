import type pg from "pg";
import { expect, test } from "vitest";
import type { Caller } from "../../../src/authorization/permissions.ts";
import { assignmentEvents } from "../../../src/postgres/history/assignment-events.ts";
import { directoryEvents } from "../../../src/postgres/history/directory-events.ts";
import { historyStatement } from "../../../src/postgres/history/list-history.ts";
import { examine } from "../../plans/explain.ts";
import { databaseOfTests } from "../../support/database.ts";

const database = await databaseOfTests();
await database.query(`
  insert into events (authorization_id, type, time, user_id, organization_id, project_id, project_grant_id, role_keys,
    state, creation_date, request_id)
  select 'a' || n, 'user.grant.added', '2026-01-01'::timestamptz + n * interval '1 second', 'u' || n, 'o' || n % 2000,
    'p' || n % 2000, '', '{viewer}', 'active', now(), gen_random_uuid()
  from generate_series(1, 20000) n`);
await database.query(`
  insert into directory_events (time, kind, id, user_id, request_id, after)
  select '2026-02-01'::timestamptz + n * interval '1 second', 'user', 'u' || n, 'u' || n, gen_random_uuid(), '{}'
  from generate_series(1, 20000) n`);
await database.query("vacuum analyze events, directory_events, directory_event_places, numbers");
const client = await database.connect();
await client.query("set random_page_cost = 1.1");

test("The whole history is counted up to 10,001, and no further", async () => {
  const everything: Caller = {
    userId: "ann",
    entries: [{ scope: { kind: "instance", id: "" }, roles: ["IAM_OWNER"] }],
  };
  const page = { ascending: false, offset: 0n, limit: 20, skipTotal: false, filters: [] };
  for (const statement of [
    historyStatement(assignmentEvents, everything, page),
    historyStatement(directoryEvents, everything, page),
  ]) {
    const { rows } = await examine(client, statement ?? expect.unreachable(), false);
    expect(rows).toBeGreaterThan(0);
    expect(rows).toBeLessThan(10_001 + 250);
    const listed = await client.query<{ total: number }>(statement as pg.QueryConfig);
    expect(listed.rows[0]?.total).toBe(10_001);
  }
});
