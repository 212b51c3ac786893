import fc from "fast-check";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createSmallWorld, type TestDatabase } from "../../support/database.ts";
import { expectOverviewNumbersTrue } from "../../support/overview-numbers.ts";
import { authorization } from "../../support/world.ts";

let database: TestDatabase;
const clients: pg.Client[] = [];

beforeAll(async () => {
  database = await createSmallWorld();
  await database.query("delete from authorizations");
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.end();
  await database.query("delete from authorizations");
});
afterAll(() => database.drop());

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  clients.push(client);
  await client.connect();
  return client;
}

type Total = { project_id: string; organization_id: string; state: string; count: number };

const kept = `
  select project_id, organization_id, state::text, sum(count)::integer as count
  from authorization_counts group by project_id, organization_id, state having sum(count) <> 0 order by 1, 2, 3`;
const counted = `
  select coalesce(project_id, '') as project_id, coalesce(organization_id, '') as organization_id, state::text,
    count(*)::integer as count
  from authorizations
  group by grouping sets ((state), (state, organization_id), (state, organization_id, project_id)) order by 1, 2, 3`;

/** Checks every number, also those for overviews, and every change date, against the rows; answers how many authorizations there are. */
async function expectTrue(): Promise<number> {
  const totals = await database.query<Total>(kept);
  expect(totals).toEqual(await database.query<Total>(counted));
  await expectOverviewNumbersTrue(database);
  const dates = (table: string) =>
    database.query(`select id, organization_id, project_id, change_date from ${table} order by id`);
  expect(await dates("authorization_change_dates")).toEqual(await dates("authorizations"));
  return totals.filter(({ organization_id }) => organization_id === "").reduce((sum, { count }) => sum + count, 0);
}

const insert = (id: string, userId: string, projectId = "shop", organizationId = "acme", grantId = "") => ({
  text: `insert into authorizations (id, user_id, project_id, organization_id, project_grant_id, creation_date, change_date)
    values ($1, $2, $3, $4, $5, now(), now())`,
  values: [id, userId, projectId, organizationId, grantId],
});

describe("Kept totals and change dates are true", () => {
  test("for what is imported, changed in state and removed, one by one and many at once", {
    timeout: 60_000,
  }, async () => {
    const users = ["ann", "adam", "bob", "bea", "cid", "root", "nobody"];
    const places = [["shop", "acme"] as const, ["shop", "globex"] as const, ["depot", "acme"] as const];
    const anyRow = fc.record({
      user: fc.constantFrom(...users),
      place: fc.constantFrom(...places),
      state: fc.constantFrom("STATE_ACTIVE", "STATE_INACTIVE"),
      remove: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(anyRow, { maxLength: 6 }), { maxLength: 4 }), async (changes) => {
        for (const rows of changes) {
          const named = new Map(rows.map((row) => [`${row.user} ${row.place}`, row]));
          const lines = [...named].map(
            ([
              id,
              {
                user,
                place: [project, organization],
                state,
                remove,
              },
            ]) =>
              remove
                ? { remove: { authorizationId: id } }
                : authorization(id, user, project, organization, [], "2024-01-01T00:00:00Z", state),
          );
          await database.load(...lines);
          await expectTrue();
        }
      }),
      { seed: 1, numRuns: 25 },
    );
  });

  test("for any other writer: an insert, an update that moves rows between places, a delete, a truncate", async () => {
    for (const [index, user] of ["ann", "adam", "bob"].entries()) {
      const { text, values } = insert(`w${index}`, user);
      await database.query(text, values);
    }
    expect(await expectTrue()).toBe(3);
    await database.query("update authorizations set project_id = 'depot', state = 'inactive' where id in ('w0', 'w1')");
    await database.query("update authorizations set change_date = change_date + interval '1 day' where id = 'w2'");
    expect(await expectTrue()).toBe(3);
    await database.query("delete from authorizations where id = 'w0'");
    expect(await expectTrue()).toBe(2);
    await database.query("truncate authorizations, authorization_roles, authorization_change_dates");
    expect(await expectTrue()).toBe(0);
  });

  test("after a rollback, also to a savepoint", async () => {
    const client = await connect();
    await client.query("begin");
    await client.query(insert("kept", "ann"));
    await client.query("savepoint here");
    await client.query(insert("undone", "adam"));
    await client.query("rollback to here");
    await client.query("commit");
    expect(await expectTrue()).toBe(1);
    await client.query("begin");
    await client.query("delete from authorizations");
    await client.query("rollback");
    expect(await expectTrue()).toBe(1);
  });

  test("when many write at once in the same place, and nobody waits for another", async () => {
    const writers = await Promise.all(Array.from({ length: 6 }, connect));
    const users = ["ann", "adam", "bob", "bea", "cid", "root"];
    // All of them are in the middle of their transactions at the same time: whoever waited would wait for ever.
    for (const [index, client] of writers.entries()) {
      await client.query("begin; set local lock_timeout = '2s'");
      await client.query(insert(`w${index}`, users[index] ?? ""));
    }
    for (const client of writers.slice(0, 5)) await client.query("commit");
    await writers[5]?.query("rollback");
    expect(await expectTrue()).toBe(5);
    const slots = "select count(distinct slot)::integer as slots from authorization_counts where organization_id = ''";
    const [before] = await database.query(slots);
    for (const [index, client] of writers.entries()) {
      await client.query("begin");
      await client.query(`delete from authorizations where id = 'w${index}'`);
    }
    for (const client of writers) await client.query("commit");
    expect(await expectTrue()).toBe(0);
    // Slots are used again.
    expect(await database.query(slots)).toEqual([before]);
  });

  test("when one writer adds to a number that another has changed since its statement began", async () => {
    const [one, other] = [await connect(), await connect()];
    await database.query(insert("first", "cid").text, insert("first", "cid").values);
    await one.query("begin");
    await one.query("select pg_advisory_lock(1)");
    // Its snapshot is taken before the other commits; it reaches the numbers after that.
    const late = other.query(`
      with held as materialized (select pg_advisory_lock(1))
      insert into authorizations (id, user_id, project_id, organization_id, creation_date, change_date)
      select 'late', 'bob', 'shop', 'acme', now(), now() from held`);
    await one.query(insert("early", "ann"));
    await one.query("commit");
    await one.query("select pg_advisory_unlock(1)");
    await late;
    expect(await expectTrue()).toBe(3);
  });

  test("and gone with the project, the grant or the organization they are about", async () => {
    const about = (id: string) =>
      database.query("select 1 from authorization_counts where project_id = $1 or organization_id = $1", [id]);
    await database.load(
      { organization: { id: "umbrella", name: "Umbrella" } },
      { project: { id: "lab", organizationId: "umbrella", name: "Lab" } },
      { project: { id: "yard", organizationId: "umbrella", name: "Yard" } },
      { projectGrant: { id: "lab-to-globex", projectId: "lab", organizationId: "globex", roleKeys: [] } },
      ...["lab", "yard"].map((project) =>
        authorization(`u-${project}`, "ann", project, "umbrella", [], "2024-01-01T00:00:00Z"),
      ),
      authorization("g-lab", "ann", "lab", "globex", [], "2024-01-01T00:00:00Z"),
    );
    expect((await about("lab")).length).toBe(2);
    await database.load({ remove: { projectGrantId: "lab-to-globex" } });
    expect((await about("lab")).length).toBe(1);
    await database.load({ remove: { projectId: "lab" } });
    expect((await about("lab")).length).toBe(0);
    expect((await about("umbrella")).length).toBeGreaterThan(0);
    await database.load({ remove: { organizationId: "umbrella" } });
    expect((await about("umbrella")).length).toBe(0);
    expect(await expectTrue()).toBe(0);
  });

  test("again after they were counted anew and restored, when the triggers were off", async () => {
    await database.query("alter table authorizations disable trigger user");
    await database.query("update authorization_counts set count = count + 1");
    await database.load(authorization("a", "ann", "shop", "acme", [], "2024-01-01T00:00:00Z"));
    await database.query("alter table authorizations enable trigger user");
    await expect(expectTrue()).rejects.toThrow();
    await database.query("select recount_authorizations(), restore_change_dates()");
    expect(await expectTrue()).toBe(1);
  });
});
