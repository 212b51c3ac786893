import type { TestDatabase } from "./database.ts";
import { tables } from "./stored.ts";

/** One text for each table that changes whenever a row of it does: what `stored` tells and the events, in a single statement. */
export async function fingerprint(database: TestDatabase): Promise<object> {
  const [row] = await database.query<{ found: object }>(`
    select jsonb_build_object(${[...tables, "events"]
      .map((table) => `'${table}', (select md5(string_agg(t::text, '|' order by t::text collate "C")) from ${table} t)`)
      .join(", ")}) as found`);
  return row?.found ?? {};
}
