import fc from "fast-check";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { eventTypes } from "../../../src/authorization/event.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";

let database: TestDatabase;
const clients: pg.Client[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.end();
});
afterAll(() => database.drop());

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  clients.push(client);
  await client.connect();
  return client;
}

const kept = `
  select project_id, organization_id, project_grant_id, type, sum(count)::integer as count from event_counts
  group by project_id, organization_id, project_grant_id, type order by 1, 2, 3, 4`;
const counted = `
  select coalesce(project_id, '') as project_id, coalesce(organization_id, '') as organization_id,
    coalesce(project_grant_id, '') as project_grant_id, type, count(*)::integer as count
  from events
  group by grouping sets ((type), (type, organization_id), (type, organization_id, project_id, project_grant_id))
  order by 1, 2, 3, 4`;

/** Checks every number against the events; answers how many there are. */
async function expectTrue(): Promise<number> {
  const totals = await database.query<{ organization_id: string; count: number }>(kept);
  expect(totals).toEqual(await database.query(counted));
  return totals.filter(({ organization_id }) => organization_id === "").reduce((sum, { count }) => sum + count, 0);
}

type Row = { type: string; project: string; organization: string; grant: string };

function insert(...rows: Row[]) {
  const text = `
    insert into events (authorization_id, type, time, user_id, project_id, organization_id, project_grant_id, role_keys, state)
    select 'a', type, now(), 'u', project, organization, "grant", '{}',
      case when type not like '%removed' then 'active'::authorization_state end
    from json_to_recordset($1) as r (type text, project text, organization text, "grant" text)`;
  return { text, values: [JSON.stringify(rows)] };
}
const one: Row = { type: "user.grant.added", project: "shop", organization: "acme", grant: "" };

describe("Kept numbers of events are true", () => {
  test("for one and for many at once, of all types, in places on grants and not", async () => {
    const anyRow = fc.record({
      type: fc.constantFrom(...eventTypes),
      project: fc.constantFrom("shop", "depot"),
      organization: fc.constantFrom("acme", "globex"),
      grant: fc.constantFrom("", "g1", "g2"),
    });
    let count = await expectTrue();
    await fc.assert(
      fc.asyncProperty(fc.array(anyRow, { maxLength: 8 }), async (rows) => {
        const { text, values } = insert(...rows);
        await database.query(text, values);
        count += rows.length;
        expect(await expectTrue()).toBe(count);
      }),
      { seed: 1, numRuns: 30 },
    );
  });

  test("after a rollback, also to a savepoint", async () => {
    const before = await expectTrue();
    const client = await connect();
    await client.query("begin");
    await client.query(insert(one));
    await client.query("savepoint here");
    await client.query(insert(one));
    await client.query("rollback to here");
    await client.query("commit");
    await client.query("begin");
    await client.query(insert(one));
    await client.query("rollback");
    expect(await expectTrue()).toBe(before + 1);
  });

  test("when many write at once in the same place, and nobody waits for another", async () => {
    const before = await expectTrue();
    const writers = await Promise.all(Array.from({ length: 6 }, connect));
    for (const client of writers) {
      await client.query("begin; set local lock_timeout = '2s'");
      await client.query(insert(one, one));
    }
    for (const client of writers.slice(0, 5)) await client.query("commit");
    await writers[5]?.query("rollback");
    expect(await expectTrue()).toBe(before + 10);
  });

  test("after they were counted anew, while somebody was in the middle of appending", async () => {
    const before = await expectTrue();
    await database.query("update event_counts set count = count + 1");
    const [early, late] = [await connect(), await connect()];
    await early.query("begin");
    await early.query(insert(one));
    const repairing = database.query("select recount_events()");
    await database.query("select pg_sleep(0)");
    const appending = (async () => {
      await late.query("begin");
      await late.query(insert(one));
      await late.query("commit");
    })();
    await early.query("commit");
    await Promise.all([repairing, appending]);
    expect(await expectTrue()).toBe(before + 2);
  });

  test("of all the types that Postgres takes, which are those the service knows", async () => {
    await expect(
      database.query(
        insert({ ...one, type: "user.grant.lost" }).text,
        insert({ ...one, type: "user.grant.lost" }).values,
      ),
    ).rejects.toMatchObject({ code: "23514" });
    const [{ definition = "" } = {}] = await database.query<{ definition?: string }>(`
      select pg_get_constraintdef(oid) as definition from pg_constraint
      where conrelid = 'events'::regclass and contype = 'c' and pg_get_constraintdef(oid) not like '%state IS NULL%'`);
    expect([...definition.matchAll(/'(user\.grant[a-z.]*)'/g)].map(([, type]) => type).sort()).toEqual(
      [...eventTypes].sort(),
    );
  });
});
