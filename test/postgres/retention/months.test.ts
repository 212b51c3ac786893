import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { beginMonth, beginMonths } from "../../../src/postgres/retention/months.ts";
import { createSmallWorld, type TestDatabase } from "../../support/database.ts";
import { hold } from "../../support/locks.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createSmallWorld();
});
afterAll(() => database.drop());

const begin = () => beginMonth({ connectionString: database.url });

/** The months of a history, as its partitions name them. */
async function months(history: string): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    "select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1",
    [history],
  );
  return rows.map(({ name }) => name.slice(history.length + 1));
}

const named = async (interval: string) => {
  const [row] = await database.query<{ name: string }>(
    "select to_char(now() at time zone 'UTC' + $1::interval, 'YYYY_MM') as name",
    [interval],
  );
  return row?.name ?? "";
};

const histories = ["events", "directory_events", "directory_event_places"];

describe("A month", () => {
  test("has partitions of all histories, and so has the next one", async () => {
    const both = [await named("0 months"), await named("1 month")];
    for (const history of histories) expect(await months(history)).toEqual(both);
  });

  test("is what the sequences of its events begin with", async () => {
    const rows = await database.query<{ month: string }>(
      "select distinct sequence / 10000000000 as month from events union select sequence / 10000000000 from directory_events",
    );
    expect(rows.map(({ month }) => String(month))).toEqual([(await named("0 months")).replace("_", "")]);
  });

  test("begins once: calling it again, also at the same time, changes nothing", async () => {
    const state = () =>
      database.query("select last_value from events_sequence_seq union all select count(*) from pg_class");
    const before = await state();
    await Promise.all([begin(), begin(), begin()]);
    expect(await state()).toEqual(before);
  });

  test("begins when sequences are still in an earlier one, and never goes back", async () => {
    await database.query("select setval('events_sequence_seq', 202001 * 10000000000 + 7)");
    await begin();
    const [now] = await database.query<{ last: string; first: string }>(
      "select last_value as last, first_sequence(now()) as first from events_sequence_seq",
    );
    expect(now?.last).toBe(now?.first);
    const later = "2999010000000007";
    await database.query("select setval('directory_events_sequence_seq', $1::bigint)", [later]);
    await begin();
    expect(await database.query("select last_value from directory_events_sequence_seq")).toEqual([
      { last_value: later },
    ]);
    for (const history of ["events", "directory_events"]) {
      await database.query("select setval($1::regclass, first_sequence(now()) + 1000)", [`${history}_sequence_seq`]);
    }
  });

  test("begins only once its partitions are committed, because sequences are seen before that", async () => {
    const sequences = () => database.query("select last_value from events_sequence_seq");
    const [next, after] = [await named("1 month"), await named("2 months")];
    // As if now were two months later: this month's partition has another name then.
    const client = await database.connect();
    await client.query(`
      create schema later;
      create function later.now() returns timestamptz language sql as
        $$ select pg_catalog.now() + interval '2 months' $$`);
    for (const name of ["add_months", "begin_month"]) {
      await client.query(`alter function ${name}() set search_path = public, later, pg_catalog, pg_temp`);
    }
    const before = await sequences();
    await client.query("select begin_month()");
    expect(await sequences(), "no partition, no sequence").toEqual(before);
    const adding = await hold(database, "select add_months()");
    await expect(begin()).rejects.toMatchObject({ code: "55P03" });
    expect(await sequences(), "not committed").toEqual(before);
    await adding.commit();
    await begin();
    const [last] = await sequences();
    expect(String(last?.last_value).slice(0, 6)).toBe(after.replace("_", ""));
    for (const history of histories) expect(await months(history)).toEqual(expect.arrayContaining([next, after]));
    // Back to today for the other tests.
    for (const name of ["add_months", "begin_month"]) {
      await client.query(`alter function ${name}() set search_path = public, pg_temp`);
    }
    await client.query("drop schema later cascade");
    for (const history of ["events", "directory_events"]) {
      await client.query("select setval($1::regclass, first_sequence(now()) + 2000)", [`${history}_sequence_seq`]);
    }
    const another = await named("3 months");
    for (const month of [after, another]) {
      for (const history of histories) await client.query(`drop table if exists ${history}_${month}`);
    }
  });

  test("is added beside a writer and a reader whose transactions are open, and makes neither wait", async () => {
    const next = await named("1 month");
    for (const history of histories) await database.query(`drop table ${history}_${next}`);
    const reader = await hold(database, "select count(*) from events");
    const writer = await hold(
      database,
      "insert into events (authorization_id, type, time, user_id, project_id, organization_id, project_grant_id, role_keys, state, creation_date, request_id) select 'x', 'user.grant.added', now(), 'ann', 'shop', 'acme', '', '{}', 'active', now(), gen_random_uuid()",
    );
    await begin();
    for (const history of histories) expect(await months(history)).toContain(next);
    await Promise.all([reader.rollback(), writer.rollback()]);
  });

  test("refuses rows that don't go through the whole table, and changes of its rows", async () => {
    const month = `events_${await named("0 months")}`;
    for (const statement of [
      `insert into ${month} overriding system value select * from events limit 1`,
      `update ${month} set reason = 'x'`,
      `delete from ${month}`,
      `truncate ${month}`,
    ]) {
      await expect(database.query(statement)).rejects.toMatchObject({ code: "P0001" });
    }
  });
});

describe("A server", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** What is called at which times, while the clock runs. */
  function run(from: string, begin: () => Promise<void> = async () => {}) {
    vi.useFakeTimers({ now: new Date(from) });
    const calls: string[] = [];
    const failures: unknown[] = [];
    const end = beginMonths(
      () => {
        calls.push(new Date().toISOString());
        return begin();
      },
      (error) => failures.push(error),
    );
    return { calls, failures, end };
  }

  test("begins a month when it starts, every hour, and a second into the month", async () => {
    const { calls, end } = run("2026-01-31T22:30:00.000Z");
    await vi.advanceTimersByTimeAsync(2 * 3_600_000);
    end();
    await vi.advanceTimersByTimeAsync(2 * 3_600_000);
    expect(calls).toEqual(["2026-01-31T22:30:00.000Z", "2026-01-31T23:30:00.000Z", "2026-02-01T00:00:01.000Z"]);
  });

  test("tries again after a minute if that failed, and says so", async () => {
    const { calls, failures, end } = run("2026-01-15T12:00:00.000Z", () => Promise.reject(new Error("busy")));
    await vi.advanceTimersByTimeAsync(130_000);
    end();
    expect(calls).toEqual(["2026-01-15T12:00:00.000Z", "2026-01-15T12:01:00.000Z", "2026-01-15T12:02:00.000Z"]);
    expect(failures).toHaveLength(3);
  });

  test("says nothing of a failure after its end: Postgres stops with the server", async () => {
    let fail: (error: Error) => void = () => {};
    const { failures, end } = run("2026-01-15T12:00:00.000Z", () => new Promise((_, reject) => (fail = reject)));
    end();
    fail(new Error("terminated"));
    await vi.advanceTimersByTimeAsync(130_000);
    expect(failures).toEqual([]);
  });
});
