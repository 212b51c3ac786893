import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { appendEvents, removeAuthorizations } from "../support/append-events.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { expectNumbersTrue } from "../support/numbers.ts";
import { authorization, loadSmallWorld } from "../support/world.ts";

let database: TestDatabase;
const clients: pg.Client[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  await loadSmallWorld(database);
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.end();
  await database.drop();
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  clients.push(client);
  await client.connect();
  return client;
}

/** How many the rows say there are about something; a number over no rows is undefined. */
async function numberOf(condition: string): Promise<number | undefined> {
  const [row] = await database.query<{ n: number | null }>(
    `select sum(number)::integer as n from numbers where ${condition}`,
  );
  return row?.n ?? undefined;
}
const inState = (state: string) => `kind = 'state' and organization_id = '' and key = '${state}'`;

const day = "2024-01-01T00:00:00Z";

describe("Kept numbers and change dates are true", () => {
  test("by writing only what an event changes", async () => {
    const written = async (roleKeys: string, state: string) => {
      const client = await connect();
      await client.query("begin");
      await client.query(`
        insert into events (
          authorization_id, type, time, user_id, project_id, organization_id, project_grant_id, role_keys, state,
          creation_date, role_keys_before, state_before, creation_date_before, request_id)
        values ('a1', 'user.grant.changed', now(), 'ann', 'shop', 'acme', '', '${roleKeys}', '${state}', now(),
          '{auditor,seller}', 'active', now(), gen_random_uuid())`);
      const { rows } = await client.query(`
        select kind || ' ' || key as number from numbers where xmin::text = pg_current_xact_id()::text order by 1`);
      await client.query("rollback");
      return rows.map(({ number }) => number);
    };
    expect(await written("{auditor,seller}", "active")).toEqual([]);
    expect(await written("{owner,seller}", "active")).toEqual(["role auditor", "role owner"]);
    expect(await written("{auditor,seller}", "inactive")).toEqual(
      ["active", "inactive"].flatMap((key) => Array(3).fill(`state ${key}`)),
    );
  });

  test("after a rollback, also to a savepoint", async () => {
    const client = await connect();
    await client.query("begin");
    await client.query(add("kept", "nobody"));
    await client.query("savepoint here");
    await client.query(removeAuthorizations("id = 'a1'", "user.grant.removed", "now()"));
    await client.query("rollback to here");
    await client.query("commit");
    await expectNumbersTrue(database);
    await client.query("begin");
    await client.query(removeAuthorizations("true", "user.grant.removed", "now()"));
    await client.query("rollback");
    await expectNumbersTrue(database);
    expect(await numberOf(inState("active"))).toBe(6);
  });

  test("when many write at once in the same place, none waits for another, and slots are used again", async () => {
    const writers = await Promise.all(Array.from({ length: 6 }, connect));
    const users = ["nobody", "ann", "bea", "cid", "root", "bob"];
    // All of them are in the middle of their transactions at the same time: one that waited would wait for ever.
    for (const [index, client] of writers.entries()) {
      await client.query("begin; set local lock_timeout = '2s'");
      await client.query(add(`w${index}`, users[index] ?? "", day, "depot"));
    }
    for (const client of writers.slice(0, 5)) await client.query("commit");
    await writers[5]?.query("rollback");
    await expectNumbersTrue(database);
    const slots = "select max(slot) as slot from numbers";
    expect(await database.query(slots)).toEqual([{ slot: 4 }]);
    for (const [index, client] of writers.entries()) {
      await client.query("begin");
      await client.query(removeAuthorizations(`id = 'w${index}'`, "user.grant.removed", "now()"));
    }
    for (const client of writers) await client.query("commit");
    await expectNumbersTrue(database);
    expect(await database.query(slots)).toEqual([{ slot: 4 }]);
  });

  test("when one writer adds to a number that another has changed since its statement began", async () => {
    const [one, other] = [await connect(), await connect()];
    await one.query("begin");
    await one.query("select pg_advisory_lock(1)");
    // Its snapshot is taken before the other commits; it reaches the numbers after that.
    const late = other.query(`
      with held as materialized (select pg_advisory_lock(1)), added as (
        insert into authorizations (
          id, user_id, user_organization_id, project_id, organization_id, creation_date, change_date)
        select 'late', u.id, u.organization_id, 'depot', 'acme', now(), now() from held cross join users u where u.id = 'bob'
        returning *), ${dated}
      ${addedEvents}`);
    await one.query(add("early", "nobody", day, "depot"));
    await one.query("commit");
    await one.query("select pg_advisory_unlock(1)");
    await late;
    await expectNumbersTrue(database);
  });

  test("again after they were counted and restored, when the trigger was off", async () => {
    await database.query("alter table events disable trigger events_keep_numbers");
    await database.query("update numbers set number = number + 1");
    await database.load(
      authorization("a", "nobody", "shop", "acme", ["seller"], day),
      authorization("a1", "ann", "shop", "acme", ["seller"], "2023-01-01T00:00:00Z"),
      { remove: { authorizationId: "a2" } },
    );
    await database.query("alter table events enable trigger events_keep_numbers");
    await expect(expectNumbersTrue(database)).rejects.toThrow();
    await database.query("select recount_numbers()");
    await database.query("select restore_change_dates()");
    await expectNumbersTrue(database);
  });

  test("after they were counted while one change was in the middle and another came", async () => {
    await database.query("update numbers set number = number + 1");
    const [early, late] = [await connect(), await connect()];
    await early.query("begin");
    await early.query(add("early", "nobody"));
    const repairing = (async () => {
      await database.query("select recount_numbers()");
      await database.query("select restore_change_dates()");
    })();
    await expect.poll(waiting).toBe(1);
    const changing = late.query(add("late", "bea"));
    await expect.poll(waiting).toBe(2);
    await early.query("commit");
    await Promise.all([repairing, changing]);
    await expectNumbersTrue(database);
  });
});

/** How many sessions wait for the lock on a table. */
async function waiting(): Promise<number | undefined> {
  const [row] = await database.query<{ n: number }>(`
    select count(*)::integer as n from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and not granted`);
  return row?.n;
}

const addedEvents = appendEvents(`
  select id, 'user.grant.added', change_date, null, user_id, project_id, organization_id, project_grant_id, '{}'::text[], state
  from added`);

const dated = `dated as (
  insert into authorization_change_dates (id, organization_id, project_id, change_date)
  select id, organization_id, project_id, change_date from added)`;

/** Adds an authorization without roles, as SQL of somebody's own would. */
function add(id: string, userId: string, time = day, projectId = "shop"): string {
  return `
    with added as (
      insert into authorizations (
        id, user_id, user_organization_id, project_id, organization_id, creation_date, change_date)
      select '${id}', u.id, u.organization_id, '${projectId}', 'acme', '${time}', '${time}' from users u where u.id = '${userId}'
      returning *), ${dated}
    ${addedEvents}`;
}
