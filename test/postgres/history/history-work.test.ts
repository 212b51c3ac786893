import type pg from "pg";
import { expect, test } from "vitest";
import type { AdministratorRole, Caller, Scope } from "../../../src/authorization/permissions.ts";
import { assignmentEvents } from "../../../src/postgres/history/assignment-events.ts";
import { directoryEvents } from "../../../src/postgres/history/directory-events.ts";
import { historyStatement } from "../../../src/postgres/history/list-history.ts";
import type { Statement } from "../../../src/postgres/pool/prepared.ts";
import { examine } from "../../plans/explain.ts";
import { databaseOfTests } from "../../support/database.ts";

// Places with hundreds of times as many events as most others.

const large = 6_000;
/** In the crowded organization, more than are counted at first. */
const inCrowded = 12_000;
const ofUsers = 36_000;
/** The events of the role are in all other organizations. */
const ofViewers = 4_000;
const database = await databaseOfTests();
await database.query(`
  insert into events (sequence, authorization_id, type, time, actor_id, user_id, organization_id, project_id, project_grant_id,
    role_keys, state, creation_date, request_id)
  overriding system value
  select n, 'a' || n, 'user.grant.added', '2026-01-01'::timestamptz + n * interval '1 second',
    'bot', 'u' || n, case when n <= ${large} then 'large' else 'o' || n % 2000 end,
    case when n <= ${large} then 'shop' else 'p' || n % 2000 end, '', '{viewer}', 'active', now(), gen_random_uuid()
  from generate_series(1, ${2 * large}) n`);
await database.query("insert into organizations (id, name) values ('large', 'Large')");
await database.query("insert into projects (id, name, organization_id) values ('shop', 'Shop', 'large')");
await database.query(`
  insert into directory_event_places (kind, id, time, sequence)
  select 'organization', case when n <= ${large} then 'large' else 'o' || n % 2000 end,
    '2026-01-01'::timestamptz + n * interval '1 second', n
  from generate_series(1, ${2 * large}) n`);
await database.query(`
  with added as (
    insert into directory_events (sequence, time, kind, id, user_id, request_id, after)
    overriding system value
    select 100000 + n, '2026-02-01'::timestamptz + n * interval '1 second',
      case when n <= ${ofUsers} then 'user' else 'projectRole' end,
      case when n <= ${ofUsers} then 'u' || n else 'viewer' end,
      case when n <= ${ofUsers} then 'u' || n end, gen_random_uuid(), '{}'
    from generate_series(1, ${ofUsers + ofViewers}) n
    returning sequence, time, kind)
  insert into directory_event_places (kind, id, time, sequence)
  select 'organization',
    case when kind = 'user' and sequence % ${ofUsers / inCrowded} = 0 then 'crowded' else 'o' || sequence % 2000 end,
    time, sequence
  from added
  union all
  select 'project', 'p' || sequence % 2000, time, sequence from added`);
await database.query("vacuum analyze events, directory_events, directory_event_places, numbers");
const client = await database.connect();
await client.query("set random_page_cost = 1.1");

/** The page, one more, the numbers of the places, and what says how far back the history goes. */
const ofPage = 100;
const page = { ascending: false, offset: 0n, limit: 20, skipTotal: true };

function callerOf(scope: Scope, role: AdministratorRole): Caller {
  return { userId: "ann", entries: [{ scope, roles: [role] }] };
}

const owner = (organizationId: string) => callerOf({ kind: "organization", id: organizationId }, "ORG_OWNER");

async function rowsOf(statement: Statement | undefined): Promise<number> {
  if (statement === undefined) throw new Error("the list matches nothing, whatever there is");
  const { rows } = await examine(client, statement, false);
  expect(rows).toBeGreaterThan(0);
  return rows;
}

async function totalOf(statement: Statement | undefined): Promise<number | undefined> {
  if (statement === undefined) throw new Error("the list matches nothing, whatever there is");
  const { rows } = await client.query<{ total: number }>(statement as pg.QueryConfig);
  return rows[0]?.total;
}

test.each(["large", "o7"])(
  "A page of the directory's events in one place reads few others (%s)",
  async (organizationId) => {
    expect(
      await rowsOf(historyStatement(directoryEvents, owner(organizationId), { ...page, filters: [] })),
    ).toBeLessThan(ofPage);
  },
);

test.each([
  ["its owner", callerOf({ kind: "project", id: "shop" }, "PROJECT_OWNER"), []],
  [
    "who sees everything",
    callerOf({ kind: "instance", id: "" }, "IAM_OWNER"),
    [{ kind: "projectId", id: "shop" }] as const,
  ],
])("A page of the events of one project reads few others (%s)", async (_who, caller, filters) => {
  expect(await rowsOf(historyStatement(assignmentEvents, caller, { ...page, limit: 5, filters }))).toBeLessThan(ofPage);
});

test("The whole history is counted up to 10,001, and no further", async () => {
  const everything = callerOf({ kind: "instance", id: "" }, "IAM_OWNER");
  const list = { ...page, skipTotal: false };
  for (const statement of [
    historyStatement(assignmentEvents, everything, { ...list, filters: [] }),
    historyStatement(directoryEvents, everything, { ...list, filters: [] }),
  ]) {
    expect(await rowsOf(statement)).toBeLessThan(10_001 + ofPage + 7 * 21);
    expect(await totalOf(statement)).toBe(10_001);
  }
  const ofPlace = historyStatement(assignmentEvents, owner("large"), { ...list, filters: [] });
  expect(await totalOf(ofPlace)).toBe(large);
});
