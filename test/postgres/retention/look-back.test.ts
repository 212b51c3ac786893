import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { appendEvents } from "../../support/append-events.ts";
import { createSmallWorld, type TestDatabase } from "../../support/database.ts";
import { hold } from "../../support/locks.ts";
import { inMonth } from "../../support/months.ts";
import { until } from "../../support/until.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createSmallWorld();
  await inMonth(database, "2026-01", () => append("2026-01-20T00:00:00Z"));
  await inMonth(database, "2026-02", () => append("2020-02-01T00:00:00Z"));
  await inMonth(database, "2026-03", () => append("2026-04-01T00:00:01Z"));
});
beforeEach(async () => {
  await database.query("delete from past_months");
});
afterAll(() => database.drop());

const event = (time: string) =>
  appendEvents(`
    values ('x', 'user.grant.removed', '${time}'::timestamptz, null, 'ann', 'shop', 'acme', '', '{}'::text[],
      null::authorization_state)`);
const append = (time: string) => database.query(event(time));
const lookBack = () => database.query("select look_back()");

/** Other test files' transactions in the same cluster can make it take more than two. */
const lookBackUntilKnown = () =>
  until("the past to be known", async () => {
    await lookBack();
    return (await known()).every(([, latest]) => latest !== null) && (await known()).length > 0;
  });

/** What is known of the months, as their names and the latest time before their ends. */
async function known(history = "events"): Promise<[string, string | null][]> {
  const rows = await database.query<{ name: string; latest: string | null }>(
    `select left(first_after::text, 6) as name, to_char(latest, 'YYYY-MM-DD HH24:MI:SS') as latest
      from past_months where history = $1 order by first_after`,
    [history],
  );
  return rows.map(({ name, latest }) => [name, latest]);
}

const all = [
  ["202602", "2026-01-20 00:00:00"],
  ["202603", "2026-01-20 00:00:00"],
  ["202604", "2026-04-01 00:00:01"],
];
const unknown = all.map(([name]) => [name, null]);

test("A look back notices the months that are over, and the next one tells how late their events are", async () => {
  await lookBack();
  expect(await known()).toEqual(unknown);
  await lookBackUntilKnown();
  expect(await known()).toEqual(all);
  expect(await known("directory_events")).toEqual(all.map(([name]) => [name, "0001-01-01 00:00:00"]));
});

test("Nothing is told while a transaction could still append to a past month, and then its event counts", async () => {
  const writer = await hold(database, "select pg_current_xact_id()");
  await lookBack();
  await lookBack();
  expect(await known()).toEqual(unknown);
  await writer.commit();
  await lookBackUntilKnown();
  expect(await known()).toEqual(all);
});

test("A transaction that has an id already finds out nothing, because its id could be too low", async () => {
  const client = await database.connect();
  await client.query("begin");
  await client.query("select pg_current_xact_id()");
  await client.query("select look_back()");
  await client.query("commit");
  expect(await known()).toEqual([]);
});

test("While a history is imported, nothing is found out", async () => {
  const importing = await hold(database, "select pg_advisory_xact_lock(720638144)");
  await lookBack();
  expect(await known()).toEqual([]);
  await importing.rollback();
});

test("What is known stays, and later months build on it", async () => {
  await lookBackUntilKnown();
  await inMonth(database, "2026-05", () => append("2019-01-01T00:00:00Z"));
  await lookBack();
  await lookBackUntilKnown();
  expect(await known()).toEqual([...all, ["202606", "2026-04-01 00:00:01"]]);
});

test("A month that another server begins meanwhile is not over yet, because a transaction could still append to it", async () => {
  const sequences = ["events", "directory_events"].map((history) => `${history}_sequence_seq`);
  const [row] = await database.query<{ next: string }>(
    "select first_sequence((date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC')::text as next",
  );
  const next = row?.next ?? expect.unreachable();
  const before = await database.query<{ last: string }>(
    "select pg_sequence_last_value(name::regclass)::text as last from unnest($1::text[]) name",
    [sequences],
  );
  try {
    await database.query("select setval($1::regclass, $2)", [sequences[0], next]);
    const same = await hold(database, "insert into past_months (history, first_after) values ('events', $1)", [next]);
    let isBack = false;
    const back = lookBack().finally(() => {
      isBack = true;
    });
    // It waits for a second at most.
    const waits = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await until("it to wait", async () => isBack || (await database.query(waits)).length > 0);
    await database.query("select setval($1::regclass, $2)", [sequences[1], next]);
    await same.rollback();
    await back;
    expect((await known("directory_events")).map(([name]) => name)).not.toContain(next.slice(0, 6));
  } finally {
    for (const [index, { last }] of before.entries())
      await database.query("select setval($1::regclass, $2)", [sequences[index], last]);
  }
});
