import { describe, expect, test } from "vitest";
import { smallWorldOfTests } from "../support/database.ts";

const database = await smallWorldOfTests();

function stateOf(statement: string, values: unknown[] = []): Promise<string> {
  return database.query(statement, values).then(
    () => "accepted",
    (error: any) => error.code,
  );
}

describe("The rows of the event table", () => {
  test.each([
    ["update", "update events set actor_id = 'ann'"],
    ["update of no row", "update events set actor_id = 'ann' where false"],
    [
      "upsert",
      "insert into events overriding system value select * from events limit 1 on conflict (sequence) do update set actor_id = 'ann'",
    ],
    ["delete", "delete from events"],
    ["truncate", "truncate events"],
    ["truncate with others", "truncate organizations, events cascade"],
    ["merge", "merge into events e using (select 1) x on true when matched then delete"],
  ])("are never changed or deleted: %s", async (_what, statement) => {
    const before = await database.query("select * from events order by sequence");
    expect(before.length).toBeGreaterThan(5);
    expect(await stateOf(statement)).toBe("P0001");
    expect(await database.query("select * from events order by sequence")).toEqual(before);
  });
});

describe("The rows of the tables of events", () => {
  test.each(
    ["directory_events", "directory_event_places"].flatMap((table) =>
      [
        `update ${table} set time = now()`,
        `update ${table} set time = now() where false`,
        `delete from ${table}`,
        `truncate ${table}`,
        `merge into ${table} e using (select 1) x on true when matched then delete`,
      ].map((statement) => [statement]),
    ),
  )("of the directory are never changed or deleted: %s", async (statement) => {
    const rows = () =>
      database.query("select sequence from directory_events natural join directory_event_places order by 1");
    await database.query(
      `with event as (
         insert into directory_events (time, kind, id, request_id, after)
         values (now(), 'organization', 'acme', gen_random_uuid(), '{}') returning *)
       insert into directory_event_places (kind, id, time, sequence) select kind, id, time, sequence from event`,
    );
    const before = await rows();
    expect(before.length).toBeGreaterThan(0);
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

  test("sorts Z before a, and a letter beyond the first 65536 after all others", async () => {
    const ids = ["Z", "a", "z", "ä", "\u{ffee}", "\u{1f600}"];
    await database.load(...ids.toReversed().map((id) => ({ organization: { id, name: "x" } })));
    const rows = await database.query<{ id: string }>("select id from organizations where name = 'x' order by id");
    expect(rows.map(({ id }) => id)).toEqual(ids);
  });
});
