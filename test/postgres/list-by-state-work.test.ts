import { expect, test } from "vitest";
import { listStatement } from "../../src/postgres/list/list-authorizations.ts";
import { sessionSettings } from "../../src/postgres/pool/session.ts";
import { examine } from "../plans/explain.ts";
import { databaseOfTests } from "../support/database.ts";

/** Each of 200 organizations has 200 assignments in its project, of which a tenth is inactive. */
const world = `
  insert into organizations select 'o' || n, 'O' from generate_series(1, 200) n;
  insert into projects select 'p' || n, 'o' || n, 'P' from generate_series(1, 200) n;
  insert into users select 'u' || n, 'o' || (n % 200 + 1), 'u' || n, '', '' from generate_series(1, 40000) n;
  insert into authorizations (id, user_id, user_organization_id, project_id, organization_id, state, creation_date, change_date)
  select 'a' || n, 'u' || n, 'o' || (n % 200 + 1), 'p' || (n % 200 + 1), 'o' || (n % 200 + 1),
    case when n % 2000 < 1800 then 'active' else 'inactive' end::authorization_state, now(), now()
  from generate_series(1, 40000) n;
  select recount_numbers();
  analyze`;

const database = await databaseOfTests();
await database.query(world);
const client = await database.connect();
await client.query(sessionSettings(60_000));

test.each([
  ["active", 100],
  ["inactive", 20],
] as const)("A list of what is %s examines the caller's places, not those of others", async (state, shown) => {
  const statement = listStatement(
    { userId: "another", scopes: [{ kind: "project", id: "p1" }] },
    {
      filters: [{ kind: "state", state }],
      sort: { column: "creationDate", ascending: false },
      offset: 0n,
      limit: 100,
    },
  );
  const { rows, scans, listed } = await examine(client, statement, true);
  expect(listed).toBe(shown);
  expect(rows, JSON.stringify(scans)).toBeLessThan(500);
});
