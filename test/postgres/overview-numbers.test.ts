import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { TestDatabase } from "../support/database.ts";
import { type FreshWorlds, openFreshWorlds } from "../support/fresh-worlds.ts";
import { mixedWorld } from "../support/mixed-world.ts";
import { expectOverviewNumbersTrue } from "../support/overview-numbers.ts";
import { authorization } from "../support/world.ts";

// What the tests of kept totals say of numbers for overviews as well is not said again here: this is about roles, and
// what becomes of numbers that nothing is counted by any more.

let worlds: FreshWorlds;
let database: TestDatabase;
const clients: pg.Client[] = [];

beforeAll(async () => {
  worlds = await openFreshWorlds(...mixedWorld());
});
afterAll(() => worlds.drop());

beforeEach(async () => {
  database = await worlds.next();
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

const expectTrue = () => expectOverviewNumbersTrue(database);
const holders = async (organizationId: string, projectId: string, roleKey: string) => {
  const [row] = await database.query<{ n: number }>(
    `select coalesce(sum(count), 0)::integer as n from authorization_role_counts
     where organization_id = $1 and project_id = $2 and role_key = $3`,
    [organizationId, projectId, roleKey],
  );
  return row?.n;
};
const rowsAbout = async (condition: string) => {
  const tables = ["authorization_totals", "authorization_days", "authorization_role_counts"];
  const counts = tables.map((table) => `(select count(*) from ${table} where ${condition})`);
  const [row] = await database.query<{ n: number }>(`select (${counts.join(" + ")})::integer as n`);
  return row?.n;
};

describe("Numbers for overviews are true", () => {
  test("for a world that was imported", async () => {
    await expectTrue();
    const [all] = await database.query<{ n: number }>("select count(*)::integer as n from authorization_roles");
    expect(await holders("", "", "")).toBe(all?.n);
    expect(all?.n).toBeGreaterThan(10);
  });

  test("when roles are given, taken and changed, one by one and many at once", async () => {
    await database.query("delete from authorization_roles where authorization_id = 'a1'");
    await expectTrue();
    await database.query("delete from authorization_roles where role_key in (select min(key) from project_roles)");
    await expectTrue();
    await database.query(`
      insert into authorization_roles (authorization_id, project_id, project_grant_id, role_key)
      select a.id, a.project_id, a.project_grant_id, r.key
      from authorizations a join project_roles r on r.project_id = a.project_id
      where a.project_grant_id = ''
      on conflict do nothing`);
    await expectTrue();
    await database.query("delete from authorization_roles where role_key = 'auditor'");
    const changed = await database.query(`
      update authorization_roles set role_key = 'auditor'
      where project_id = 'shop' and role_key = 'seller' and authorization_id in ('a1', 'a2', 'a4')
      returning authorization_id`);
    expect(changed.length).toBe(3);
    await expectTrue();
  });

  test("when authorizations are removed with all their roles", async () => {
    expect(await holders("", "", "")).toBeGreaterThan(0);
    await database.query("delete from authorizations where id in (select id from authorizations order by id limit 5)");
    await expectTrue();
    await database.query("delete from authorizations");
    await expectTrue();
    expect(await holders("", "", "")).toBe(0);
  });

  test("when a creation date moves to another day, or within one", async () => {
    // To a day that one of them was of before.
    await database.query("update authorizations set creation_date = '2024-01-01T05:00:00Z' where id in ('a1', 'a2')");
    await expectTrue();
    await database.query("update authorizations set creation_date = '2020-02-29T23:59:59.999999Z'");
    await expectTrue();
    await database.query("update authorizations set creation_date = creation_date + interval '1 microsecond'");
    await expectTrue();
    // The day is that of UTC, whatever the session thinks.
    const client = await connect();
    await client.query("set timezone = 'Pacific/Kiritimati'");
    await client.query("update authorizations set creation_date = '2020-03-05T23:00:00Z' where id = 'a1'");
    await client.query("delete from authorizations where id in ('a1', 'a2')");
    await expectTrue();
  });

  test("after a truncate, and when counted anew after the triggers were off", async () => {
    for (const table of ["authorizations", "authorization_roles"]) {
      await database.query(`alter table ${table} disable trigger user`);
    }
    await database.query("delete from authorization_roles where project_id = 'shop'");
    await database.query("update authorizations set creation_date = '2020-02-29T00:00:00Z'");
    for (const table of ["authorizations", "authorization_roles"]) {
      await database.query(`alter table ${table} enable trigger user`);
    }
    await expect(expectTrue()).rejects.toThrow();
    await database.query("select recount_authorizations()");
    await database.query("select recount_roles()");
    await expectTrue();
    await database.query("truncate authorizations, authorization_roles, authorization_change_dates");
    await expectTrue();
    expect(await rowsAbout("true")).toBe(0);
  });

  test("when many give roles at once in the same place, and nobody waits for another", async () => {
    const ids = await database.query<{ id: string }>(`
      select id from authorizations a where project_id = 'shop' and organization_id = 'acme' and exists (
        select from authorization_roles h where h.authorization_id = a.id) order by id`);
    expect(ids.length).toBeGreaterThan(1);
    const writers = await Promise.all(ids.map(connect));
    // All of them are in the middle of their transactions at the same time: whoever waited would wait for ever.
    for (const [index, client] of writers.entries()) {
      await client.query("begin; set local lock_timeout = '2s'");
      await client.query("delete from authorization_roles where authorization_id = $1", [ids[index]?.id]);
    }
    for (const [index, client] of writers.entries()) await client.query(index === 0 ? "rollback" : "commit");
    await expectTrue();
  });

  test("and gone with the role, the project, the grant or the organization they are about", async () => {
    await database.load(
      { organization: { id: "umbrella", name: "Umbrella" } },
      ...["lab", "yard"].flatMap((id) => [
        { project: { id, organizationId: "umbrella", name: id } },
        { projectRole: { projectId: id, key: "guard", displayName: "Guard", group: "" } },
        { projectRole: { projectId: id, key: "cook", displayName: "Cook", group: "" } },
      ]),
      {
        projectGrant: { id: "lab-to-globex", projectId: "lab", organizationId: "globex", roleKeys: ["guard", "cook"] },
      },
      authorization("u-lab", "ann", "lab", "umbrella", ["guard", "cook"], "2024-01-01T00:00:00Z"),
      authorization("u-yard", "ann", "yard", "umbrella", ["guard"], "2024-01-01T00:00:00Z"),
      authorization("g-lab", "ann", "lab", "globex", ["guard", "cook"], "2024-01-02T00:00:00Z"),
    );
    expect(await holders("umbrella", "lab", "guard")).toBe(1);
    expect(await holders("globex", "lab", "guard")).toBe(1);
    await database.load({ remove: { projectRole: { projectId: "lab", key: "guard" } } });
    await expectTrue();
    const guards = "select from authorization_role_counts where project_id = 'lab' and role_key = 'guard'";
    expect(await database.query(guards)).toEqual([]);

    expect(await rowsAbout("organization_id = 'globex' and project_id = 'lab'")).toBe(3);
    await database.load({ remove: { projectGrantId: "lab-to-globex" } });
    await expectTrue();
    expect(await rowsAbout("organization_id = 'globex' and project_id = 'lab'")).toBe(0);

    expect(await rowsAbout("project_id = 'lab'")).toBe(4);
    await database.load({ remove: { projectId: "lab" } });
    await expectTrue();
    expect(await rowsAbout("project_id = 'lab'")).toBe(0);

    expect(await rowsAbout("organization_id = 'umbrella'")).toBeGreaterThan(0);
    await database.load({ remove: { organizationId: "umbrella" } });
    await expectTrue();
    expect(await rowsAbout("organization_id = 'umbrella' or project_id in ('lab', 'yard')")).toBe(0);
  });
});
