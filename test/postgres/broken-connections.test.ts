import sql from "sql-template-tag";
import { afterEach, describe, expect, test } from "vitest";
import { databaseOfTests, openForTests, openService } from "../support/database.ts";
import { hold } from "../support/locks.ts";
import { proxyOfTests } from "../support/tcp-proxy.ts";
import { until } from "../support/until.ts";

const { signal } = new AbortController();
const testDatabase = await databaseOfTests();
await testDatabase.query("create table notes (text text)");
// A commit that waits for whoever holds the lock.
await testDatabase.query(`
  create function wait_to_commit() returns trigger language plpgsql as $$
  begin
    perform pg_advisory_xact_lock(1);
    return null;
  end $$`);
await testDatabase.query(`
  create constraint trigger slow after insert on notes deferrable initially deferred
  for each row when (new.text like 'slow%') execute function wait_to_commit()`);
const proxy = await proxyOfTests(testDatabase.url);
const database = openForTests(proxy.url, 3);
afterEach(() => testDatabase.query("truncate notes"));

const endSessions = (which: string) =>
  testDatabase.query(`
    select pg_terminate_backend(pid, 10000) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and ${which}`);

const notes = async () =>
  (await testDatabase.query<{ text: string }>("select text from notes")).map(({ text }) => text);

test("A connection that Postgres ends while it is being closed is no error", async () => {
  const errors: Error[] = [];
  const connection = { connectionString: proxy.url, application_name: "closing" };
  const closing = openService(proxy.url, { connection, onIdleError: (error) => void errors.push(error) });
  await closing.query(sql`select`, signal);
  const forward = proxy.hold();
  const closed = closing.close();
  await endSessions("application_name = 'closing'");
  forward();
  await closed;
  // What the proxy passed on before this has arrived.
  await database.query(sql`select`, signal);
  expect(errors).toEqual([]);
});

describe("When its connection breaks", () => {
  test("a statement is run three times at most", async () => {
    const lock = await hold(testDatabase, "lock table notes in access exclusive mode");
    const reading = database.query(sql`select from notes`, signal);
    const ended = reading.catch((error) => error);
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await lock.untilWaiting(1);
      await endSessions("wait_event_type = 'Lock'");
      await lock.untilWaiting(attempt === 3 ? 0 : 1);
    }
    expect(await ended).toMatchObject({ reason: "DATABASE_UNAVAILABLE" });
    await lock.rollback();
  });

  test("a transaction that has sent its commit is never done again, because it may be kept", async () => {
    let attempts = 0;
    const lock = await hold(testDatabase, "select pg_advisory_xact_lock(1)");
    const writing = database.transaction(signal, async (connection) => {
      attempts += 1;
      await connection.query(sql`insert into notes values ('slow')`);
    });
    const ended = writing.catch((error) => error);
    await lock.untilWaiting(1);
    await endSessions("wait_event_type = 'Lock'");
    expect(await ended).toMatchObject({
      reason: "DATABASE_UNAVAILABLE",
      metadata: { outcome: "unknown" },
    });
    await lock.rollback();
    expect(attempts).toBe(1);
    expect(await notes()).toEqual([]);
  });

  test("a single statement that writes is never done again, because it may be kept", async () => {
    const lock = await hold(testDatabase, "lock table notes in access exclusive mode");
    const ended = database.write(sql`insert into notes values ('written')`, signal).catch((error) => error);
    await lock.untilWaiting(1);
    await endSessions("wait_event_type = 'Lock'");
    expect(await ended).toMatchObject({ reason: "DATABASE_UNAVAILABLE", metadata: { outcome: "unknown" } });
    await lock.rollback();
    expect(await notes()).toEqual([]);
  });
});

test("A commit that gets no answer is given up after the deadline, and so is its connection", async () => {
  const over = new AbortController();
  const lock = await hold(testDatabase, "select pg_advisory_xact_lock(1)");
  const writing = database.transaction(over.signal, (connection) =>
    connection.query(sql`insert into notes values ('slow and late')`),
  );
  const ended = writing.catch((error) => error);
  await lock.untilWaiting(1);
  over.abort();
  expect(await ended).toMatchObject({ reason: "DATABASE_UNAVAILABLE" });
  expect(await database.query(sql`select 1 as one`, signal)).toEqual([{ one: 1 }]);
  // Postgres, which only lost its client, ends the session when it notices.
  await lock.rollback();
  await until("the session to end", async () => {
    const busy =
      "select from pg_stat_activity where datname = current_database() and query = 'commit' and state = 'active'";
    return (await testDatabase.query(busy)).length === 0;
  });
});

describe("A session", () => {
  test("on a copy that cannot be written is refused, because it may be a stale one", async () => {
    const name = (await testDatabase.query<{ name: string }>("select current_database() as name"))[0]?.name;
    await testDatabase.query(`alter database ${name} set default_transaction_read_only = on`);
    const other = openService(testDatabase.url);
    await expect(other.query(sql`select 1`, signal)).rejects.toMatchObject({ reason: "DATABASE_UNAVAILABLE" });
    await testDatabase.query(`begin read write; alter database ${name} reset default_transaction_read_only; commit`);
    expect(await other.query(sql`select 1 as one`, signal)).toEqual([{ one: 1 }]);
    await other.close();
  });

  test("waits for the disk also where the database says not to", async () => {
    const name = (await testDatabase.query<{ name: string }>("select current_database() as name"))[0]?.name;
    for (const [set, used] of [
      ["off", "on"],
      ["remote_apply", "remote_apply"],
    ]) {
      await testDatabase.query(`alter database ${name} set synchronous_commit = ${set}`);
      const other = openService(testDatabase.url);
      expect(await other.query(sql`show synchronous_commit`, signal)).toEqual([{ synchronous_commit: used }]);
      await other.close();
    }
    await testDatabase.query(`alter database ${name} reset synchronous_commit`);
  });

  test("is waited for only so long, then the request is OVERLOADED", async () => {
    const other = openService(testDatabase.url, { longestWaitMs: 100 });
    const lock = await hold(testDatabase, "lock table notes in access exclusive mode");
    const first = other.query(sql`select from notes`, signal);
    await lock.untilWaiting(1);
    await expect(other.query(sql`select`, signal)).rejects.toMatchObject({ reason: "OVERLOADED" });
    await lock.rollback();
    await first;
    await other.query(sql`select`, signal);
    await other.close();
  });
});

test("Cancelling that takes longer than beginning ends the transaction, and not the process", async () => {
  const unheard: unknown[] = [];
  const listen = (reason: unknown) => void unheard.push(reason);
  process.on("unhandledRejection", listen);
  const over = new AbortController();
  const reason = new Error("too late");
  const slow = openService(proxy.url);
  await slow.query(sql`select`, signal);
  const lock = await hold(testDatabase, "select pg_advisory_xact_lock(2)");
  proxy.slowDown(1_200);
  const working = slow.transaction(over.signal, ({ query }) => {
    setImmediate(() => over.abort(reason));
    return Promise.all([query(sql`select pg_advisory_xact_lock(2)`), query(sql`select 2`)]);
  });
  await expect(working).rejects.toBe(reason);
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", listen);
  proxy.slowDown(0);
  await lock.rollback();
  expect(unheard).toEqual([]);
  await slow.close();
});
