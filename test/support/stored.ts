import type { TestDatabase } from "./database.ts";

export const tables = [
  "organizations",
  "users",
  "projects",
  "project_roles",
  "project_grants",
  "project_grant_roles",
  "administrators",
  "authorizations",
  "authorization_roles",
] as const;

/** Every row of the directory and of the authorizations, in an order that only depends on what the rows hold. */
export async function stored(database: TestDatabase): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {};
  for (const table of tables) {
    const rows = await database.query<{ row: unknown }>(
      `select to_jsonb(t) - 'words' as row from ${table} t order by to_jsonb(t)::text collate "C"`,
    );
    found[table] = rows.map(({ row }) => row);
  }
  return found;
}

/** How many events there are: every change of an authorization leaves one, and nothing takes one away. */
export async function countEvents(database: TestDatabase): Promise<number> {
  const [row] = await database.query<{ count: number }>("select count(*)::integer as count from events");
  return row?.count ?? 0;
}
