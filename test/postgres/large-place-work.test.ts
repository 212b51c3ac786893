import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { prepare } from "../../src/postgres/change/what-decides.ts";
import { checks } from "../../src/postgres/directory/change-checks.ts";
import { createStagingTables } from "../../src/postgres/directory/staging.ts";
import { sessionSettings } from "../../src/postgres/pool/session.ts";
import { examine } from "../plans/explain.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

/** As long as ids of users may be: the index that begins with them is the higher one. */
const idOfUser = (n: string) => `rpad('u' || ${n}, 150, '_')`;

/** Half of all assignments are in one place, the others in one each, so Postgres expects few in any place. */
const world = `
  insert into organizations select 'o' || n, 'O' from generate_series(0, 4000) n;
  insert into projects select 'p' || n, 'o' || n, 'P' from generate_series(0, 4000) n;
  insert into project_grants select 'g' || n, 'p' || n, 'o0', 'o' || n from generate_series(1, 4000) n;
  insert into project_roles (project_id, key, display_name, group_name) values ('p0', 'seller', '', '');
  insert into users select ${idOfUser("n")}, 'o' || n, 'u', '', '' from generate_series(0, 4000) n;
  insert into authorizations (id, user_id, user_organization_id, project_id, organization_id, creation_date, change_date)
  select 'a' || n, ${idOfUser("n")}, 'o' || n, 'p0', 'o0', now(), now() from generate_series(1, 3900) n
  union all
  select 'b' || n, ${idOfUser("n")}, 'o' || n, 'p' || n, 'o' || n, now(), now() from generate_series(1, 4000) n;
  analyze`;

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.query(world);
  client = await database.connect();
  await client.query(sessionSettings(60_000));
  await client.query(createStagingTables);
  await client.query(`
    insert into staged_authorizations (position, id, user_id, project_id, organization_id)
    select n, 'new' || n, ${idOfUser("3900 + n")}, 'p0', 'o0' from generate_series(1, 100) n;
    insert into staged_authorization_roles (position, authorization_id, role_key)
    select position, id, 'seller' from staged_authorizations`);
});
afterAll(() => database.drop());

test("What ApplyChanges checks of an assignment doesn't read the place it is put in", async () => {
  for (const { sql: text } of checks.staged_authorizations) {
    const { rows, scans } = await examine(client, { text, values: [] }, false);
    expect(rows, JSON.stringify(scans)).toBeLessThan(100 * 10);
  }
});

test.each([true, false])("Nor does what a create looks up, planned for anyone: %s", async (named) => {
  const asked = Array.from({ length: 100 }, (_, n) => ({
    id: `new${n}`,
    userId: `u${3_901 + n}`.padEnd(150, "_"),
    projectId: "p0",
    organizationId: "o0",
    roleKeys: ["seller"],
  }));
  const { text, values } = prepare(asked);
  const { rows, scans } = await examine(client, { text, values }, named);
  expect(rows, JSON.stringify(scans)).toBeLessThan(100 * 10);
});
