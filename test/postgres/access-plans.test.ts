import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AdministratorRole, Caller } from "../../src/authorization/permissions.ts";
import { selectAccess, selectUser } from "../../src/postgres/caller/access-store.ts";
import { sessionSettings } from "../../src/postgres/pool/session.ts";
import { examine } from "../plans/explain.ts";
import { databaseOfTests } from "../support/database.ts";

/**
 * Somebody with three entries, somebody with three thousand, which makes Postgres expect many of everybody, and nine
 * thousand things to have an entry on.
 */
const world = `
  insert into organizations select 'o' || n, 'O' from generate_series(0, 3000) n;
  insert into projects select 'p' || n, 'o0', 'P' from generate_series(1, 3000) n;
  insert into project_grants select 'g' || n, 'p' || n, 'o' || n, 'o0' from generate_series(1, 3000) n;
  insert into users select 'u' || n, 'o' || n % 3000, 'u', '', '' from generate_series(1, 6000) n;
  insert into users select name, 'o0', name, '', '' from unnest('{few,many,own}'::text[]) name;
  insert into administrators (user_id, organization_id, roles)
  select 'u' || n, 'o1', '{ORG_OWNER}'::text[] from generate_series(1, 100) n
  union all select 'many', 'o' || n, '{ORG_OWNER_VIEWER}' from generate_series(1, 1000) n
  union all select 'few', 'o1', '{ORG_OWNER}';
  insert into administrators (user_id, project_id, roles)
  select 'many', 'p' || n, '{PROJECT_OWNER_VIEWER}'::text[] from generate_series(1, 1000) n
  union all select 'few', 'p1', '{PROJECT_OWNER}';
  insert into administrators (user_id, project_grant_id, roles)
  select 'many', 'g' || n, '{PROJECT_GRANT_OWNER_VIEWER}'::text[] from generate_series(1, 1000) n
  union all select 'few', 'g2', '{PROJECT_GRANT_OWNER}';
  insert into authorizations (id, user_id, user_organization_id, project_id, organization_id, creation_date, change_date)
  select 'a' || n, 'u' || n, 'o' || n % 3000, 'p' || 1 + n % 3000, 'o0', now(), now() from generate_series(1, 6000) n;
  insert into authorizations (id, user_id, user_organization_id, project_id, organization_id, creation_date, change_date)
  select 'own' || n, 'own', 'o0', 'p' || 1000 + n, 'o0', now(), now() from generate_series(1, 100) n;
  analyze`;

const database = await databaseOfTests();
await database.query(world);
const client = await database.connect();

describe("Of the directory is read", () => {
  describe.each([
    ["planned for anyone, as Postgres is set", true, "reset all"],
    ["planned for anyone, as the service sets it", true, sessionSettings(60_000)],
    ["planned for this user, as the service sets it", false, sessionSettings(60_000)],
  ])("for GetCaller, %s,", (_, named, settings) => {
    beforeAll(async () => {
      await client.query(settings);
    });
    afterAll(async () => {
      await client.query("reset all");
    });

    // The user, its entries, and what each entry names: for a grant, its project and its organization too.
    test.each([
      ["own", 10, 2],
      ["few", 30, 2 + 5],
      ["many", 9_000, 2 + 5_000],
    ])("no more than what the entries of %s are about", async (userId, mostRows, mostSearches) => {
      const { rows, searches, scans } = await examine(client, selectUser(userId), named);
      expect(rows, JSON.stringify(scans)).toBeLessThanOrEqual(mostRows);
      expect(searches).toBeLessThanOrEqual(mostSearches);
    });
  });

  test.each([
    ["many", "", 3_100],
    ["many", "few", 100],
    ["many", "own", 250],
    ["many", "nobody", 50],
    ["few", "many", 3_100],
    ["few", "", 50],
  ])(
    "for ExplainAccess of %s about '%s' no more than the user's entries and authorizations",
    async (as, about, most) => {
      const asker = await callerOf(as);
      const question = { asker, authorizationId: "a3000", userId: about || as };
      const statement = selectAccess(question);
      const { rows, scans, listed } = await examine(client, { text: statement.text, values: statement.values }, false);
      expect(rows, JSON.stringify(scans)).toBeLessThanOrEqual(most);
      expect(listed).toBe(1);
    },
  );
});

async function callerOf(userId: string): Promise<Caller> {
  const { rows } = await client.query<{ kind: string; id: string; roles: AdministratorRole[] }>(
    `select case when organization_id is not null then 'organization' when project_id is not null then 'project'
       else 'projectGrant' end as kind, coalesce(organization_id, project_id, project_grant_id) as id, roles
     from administrators where user_id = $1`,
    [userId],
  );
  const entries = rows.map(({ kind, id, roles }) => ({ scope: { kind, [`${kind}Id`]: id } as never, roles }));
  return { userId, entries };
}
