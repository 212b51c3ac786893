import type { TestDatabase } from "./database.ts";

/** Lets everything that the work appends belong to an earlier month, such as `2026-01`. */
export async function inMonth(database: TestDatabase, month: string, work: () => Promise<unknown>): Promise<void> {
  const first = `first_sequence('${month}-01'::timestamp at time zone 'UTC')`;
  for (const history of ["events", "directory_events", "directory_event_places"]) {
    await database.query("select add_month($1, $2)", [history, `${month}-01`]);
  }
  for (const history of ["events", "directory_events"]) {
    const sequence = `${history}_sequence_seq`;
    // After those of the month that are there.
    await database.query(
      `select setval($1::regclass, greatest(${first}, (
        select max(sequence) from ${history} where sequence < ${first} + 10000000000)))`,
      [sequence],
    );
  }
  await work();
  for (const history of ["events", "directory_events"]) {
    await database.query(
      `select setval($1::regclass, greatest(first_sequence(now()), (select max(sequence) from ${history})))`,
      [`${history}_sequence_seq`],
    );
  }
}

/** All partitions of the histories, attached or not. */
export async function monthTables(database: TestDatabase): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    String.raw`select relname as name from pg_class
      where relkind = 'r' and relname ~ '^(events|directory_event(s|_places))_\d{4}_\d{2}$' order by 1`,
  );
  return rows.map(({ name }) => name);
}
