import type { TestDatabase } from "./database.ts";

const tables = [
  "organizations",
  "users",
  "projects",
  "project_roles",
  "project_grants",
  "project_grant_roles",
  "administrators",
  "authorizations",
  "authorization_roles",
  "events",
];

/** One text for each table that changes whenever a row of it does: what `stored` tells, in a single statement. */
export async function fingerprint(database: TestDatabase): Promise<object> {
  const [row] = await database.query<{ found: object }>(`
    select jsonb_build_object(${tables
      .map((table) => `'${table}', (select md5(string_agg(t::text, '|' order by t::text collate "C")) from ${table} t)`)
      .join(", ")}) as found`);
  return row?.found ?? {};
}
