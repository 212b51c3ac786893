import { describe, expect, test } from "vitest";
import { smallWorldOfTests } from "../support/database.ts";

const database = await smallWorldOfTests();

function stateOf(statement: string): Promise<string> {
  return database.query(statement).then(
    () => "accepted",
    (error: any) => error.code,
  );
}

const tables = ["events", "directory_events", "directory_event_places"];
await database.query(
  `with event as (
     insert into directory_events (time, kind, id, request_id, after)
     values (now(), 'organization', 'acme', gen_random_uuid(), '{}') returning *)
   insert into directory_event_places (kind, id, time, sequence) select kind, id, time, sequence from event`,
);

describe("The rows of the tables of events", () => {
  test.each([
    ...tables.flatMap((table) => [
      `update ${table} set time = now()`,
      `update ${table} set time = now() where false`,
      `delete from ${table}`,
      `truncate ${table}`,
      `merge into ${table} e using (select 1) x on true when matched then delete`,
    ]),
    "insert into events overriding system value select * from events limit 1 on conflict (sequence) do update set actor_id = ''",
    "truncate organizations, events cascade",
  ])("are never changed or deleted: %s", async (statement) => {
    const rows = () => Promise.all(tables.map((table) => database.query(`select * from ${table} order by sequence`)));
    const before = await rows();
    expect(before.map(({ length }) => length)).not.toContain(0);
    expect(await stateOf(statement)).toBe("P0001");
    expect(await rows()).toEqual(before);
  });
});

describe("Text", () => {
  test("compares by code point in every column of ours", async () => {
    const columns = await database.query<{ column: string; collation: string }>(
      `select attrelid::regclass || '.' || attname as column, collname as collation
       from pg_attribute
       join pg_class c on c.oid = attrelid
       join pg_collation l on l.oid = attcollation
       where c.relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm') and attnum > 0
         and c.relname <> 'migrations'`,
    );
    expect(columns.length).toBeGreaterThan(40);
    expect(columns.filter(({ collation }) => collation !== "C")).toEqual([]);
  });
});
