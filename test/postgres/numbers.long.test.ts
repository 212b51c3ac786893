import { beforeEach, describe, expect, test } from "vitest";
import { appendEvents, removeAuthorizations } from "../support/append-events.ts";
import { databaseInTest, type TestDatabase } from "../support/database.ts";
import { waitingSessions } from "../support/locks.ts";
import { expectNumbersTrue } from "../support/numbers.ts";
import { authorization, loadSmallWorld } from "../support/world.ts";

let database: TestDatabase;

beforeEach(async () => {
  database = await databaseInTest();
  await loadSmallWorld(database);
});

const day = "2024-01-01T00:00:00Z";

describe("Kept numbers and change dates are true", () => {
  test("for an authorization that one change removes and adds elsewhere, for another user, which is one event", async () => {
    await database.load(authorization("x", "ann", "shop", "globex", ["auditor", "seller"], day, "STATE_INACTIVE"));
    await database.load(
      { remove: { projectGrantId: "shop-to-globex" } },
      authorization("x", "bob", "shop", "acme", ["owner"], "2024-03-03T00:00:00Z"),
    );
    await expectNumbersTrue(database);
    const events = await database.query(`
      select type, organization_id, role_keys, state, organization_id_before, project_id_before, role_keys_before,
        state_before, (creation_date at time zone 'UTC')::date::text as day,
        (creation_date_before at time zone 'UTC')::date::text as day_before
      from events where authorization_id = 'x' order by sequence`);
    expect(events[1]).toEqual({
      ...{
        type: "user.grant.added",
        organization_id: "acme",
        role_keys: ["owner"],
        state: "active",
        day: "2024-03-03",
      },
      ...{ organization_id_before: "globex", project_id_before: "shop", role_keys_before: ["auditor", "seller"] },
      ...{ state_before: "inactive", day_before: "2024-01-01" },
    });
    expect(events.length).toBe(2);
  });

  test("when a user moves to another organization", async () => {
    await database.load({ user: { id: "ann", organizationId: "globex", preferredLoginName: "ann" } });
    await expectNumbersTrue(database);
  });

  test("by writing only what an event changes", async () => {
    const written = async (roleKeys: string, state: string) => {
      const client = await database.connect();
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
    const client = await database.connect();
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
    const active = "kind = 'state' and organization_id = '' and key = 'active'";
    expect(await database.query(`select sum(number)::integer as n from numbers where ${active}`)).toEqual([{ n: 6 }]);
  });

  test("when many write at once in the same place, none waits for another, and slots are used again", async () => {
    const writers = await Promise.all(Array.from({ length: 6 }, database.connect));
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
    const [one, other] = [await database.connect(), await database.connect()];
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
    const [early, late] = [await database.connect(), await database.connect()];
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

const waiting = async () => (await waitingSessions(database)).length;

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
