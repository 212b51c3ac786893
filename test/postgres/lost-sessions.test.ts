import sql from "sql-template-tag";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { Refusal } from "../../src/authorization/refusal.ts";
import { openDatabase } from "../../src/postgres/pool/database.ts";
import { openDoubts } from "../../src/postgres/pool/doubts.ts";
import { NoOwnSessions } from "../../src/postgres/pool/own-sessions.ts";
import { named } from "../../src/postgres/pool/prepared.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import {
  anyOther,
  carryingMode,
  neverUsed,
  oldest,
  openFakePooler,
  type PooledSession,
  type PoolerKind,
  sameAsBefore,
  sessionMode,
  transactionMode,
} from "../support/fake-pooler.ts";
import { hold } from "../support/locks.ts";
import { until } from "../support/until.ts";

let testDatabase: TestDatabase;
const { signal } = new AbortController();

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  await testDatabase.query("create table notes (text text)");
});
afterAll(() => testDatabase.drop());
beforeEach(() => testDatabase.query("truncate notes"));

/** What requests use, by way of a pooler; and what is said about it meanwhile. */
async function openBehind(kind: PoolerKind, poolSize = 3) {
  const pooler = await openFakePooler(testDatabase.url, kind);
  const connection = { connectionString: pooler.url };
  const told: (Error | undefined)[] = [];
  const doubts = openDoubts(connection, (problem) => told.push(problem));
  const database = openDatabase({ connection, poolSize, statementTimeoutMs: 60_000, onIdleError: () => {}, doubts });
  onTestFinished(async () => {
    await database.close();
    await pooler.close();
  });

  const read = () => database.query(named("test: one", sql`select 1 as one`), signal);
  const write = () =>
    database.transaction(signal, ({ query }) => query(named("test: note", sql`insert into notes values ('kept')`)));
  /** Of as many requests at once as there are connections: what they failed with, if they did. */
  async function askAll(ask: () => Promise<unknown> = read): Promise<unknown[]> {
    const ends = await Promise.allSettled(Array.from({ length: poolSize }, ask));
    return ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
  }
  return { pooler, told, read, write, askAll, database, doubts };
}

const refusal = {
  reason: "DATABASE_UNAVAILABLE",
  message: "the database can't be reached; try again",
  cause: expect.any(NoOwnSessions),
};

describe("A pooler that comes between while the service runs is found by the next connections, if it gives", () => {
  test.each<[string, PoolerKind]>([
    ["the session that came back last", transactionMode],
    ["the session that came back first", { ...transactionMode, pick: oldest }],
    ["a session that another client had", { ...transactionMode, pick: anyOther }],
    ["the only session", { ...transactionMode, sessions: 1 }],
    ["a session that was reset", { ...transactionMode, resets: true }],
    ["a session with the statements of its client", carryingMode],
    ["any session with the statements of its client", { ...carryingMode, pick: anyOther }],
  ])("%s", async (_, kind) => {
    const { pooler, told, read, write, askAll } = await openBehind(sessionMode);
    expect(await askAll()).toEqual([]);
    expect(await askAll(write)).toEqual([]);
    await testDatabase.query("truncate notes");

    pooler.become(kind);
    pooler.cut();
    await until("the refusal", async () => {
      const failures = [...(await askAll()), ...(await askAll(write))];
      // Whatever happens meanwhile, it is no fault of the service.
      for (const failure of failures) expect(failure).toBeInstanceOf(Refusal);
      return told.length > 0;
    });
    for (let time = 0; time < 5; time += 1) {
      await expect(read()).rejects.toMatchObject(refusal);
      await expect(write()).rejects.toMatchObject(refusal);
    }
    expect(told).toEqual([expect.any(NoOwnSessions)]);
  });
});

test("A connection that gets the session of one that is open raises doubts before it is used", async () => {
  const { pooler, read, doubts } = await openBehind(carryingMode);
  await read();
  // As a server has a second pool for /readyz.
  const connection = { connectionString: pooler.url };
  const probing = openDatabase({ connection, poolSize: 1, statementTimeoutMs: 60_000, onIdleError: () => {}, doubts });
  onTestFinished(() => probing.close());
  await expect(probing.query(sql`select`, signal)).rejects.toMatchObject(refusal);
  await expect(read()).rejects.toMatchObject(refusal);
});

describe("A pooler that gives its clients the sessions they had, as long as no one else wants them, is found", () => {
  test("by a prepared statement that is not there", async () => {
    const { pooler, read, write, askAll } = await openBehind({ ...transactionMode, pick: sameAsBefore });
    expect(await askAll(write)).toEqual([]);
    // Prepared in one of the sessions.
    await read();
    pooler.become({ ...transactionMode, pick: anyOther });
    await expect(read()).rejects.toMatchObject(refusal);
  });

  test("by a prepared statement that was there before", async () => {
    const { pooler, read, write, askAll } = await openBehind({ ...transactionMode, pick: sameAsBefore });
    expect(await askAll(write)).toEqual([]);
    let only: PooledSession | undefined;
    pooler.become({
      ...transactionMode,
      sessions: 3,
      pick(idle) {
        // It goes with a client that leaves in the middle of something.
        if (only === undefined || only.socket.destroyed) only = idle[0];
        return idle.find((session) => session === only);
      },
    });
    expect(await askAll(read)).toContainEqual(expect.objectContaining(refusal));
  });

  test.each([
    ["another client's", anyOther],
    ["a new", neverUsed],
  ])("by a transaction in %s session, which leaves nothing, though its statements are there", async (_, pick) => {
    const { pooler, write, askAll } = await openBehind({ ...carryingMode, pick: sameAsBefore });
    for (let time = 0; time < 3; time += 1) expect(await askAll()).toEqual([]);
    pooler.become({ ...carryingMode, pick });
    await expect(write()).rejects.toMatchObject(refusal);
    expect(await testDatabase.query("select from notes")).toEqual([]);
  });

  test("by a transaction in a session that was reset", async () => {
    const { pooler, write, askAll } = await openBehind({ ...carryingMode, pick: sameAsBefore });
    expect(await askAll(write)).toEqual([]);
    await testDatabase.query("truncate notes");
    // It resets a session when it gets it back.
    pooler.become({ ...carryingMode, pick: sameAsBefore, resets: true });
    await askAll(write);
    await testDatabase.query("truncate notes");
    await expect(write()).rejects.toMatchObject(refusal);
    expect(await testDatabase.query("select from notes")).toEqual([]);
  });
});

test("Requests are served again when the pooler keeps sessions, and by no connection that was there before", async () => {
  const { pooler, told, write, askAll, doubts } = await openBehind({ ...transactionMode, pick: sameAsBefore }, 5);
  expect(await askAll(write)).toEqual([]);
  pooler.become({ ...transactionMode, pick: anyOther });
  await expect(write()).rejects.toMatchObject(refusal);
  // The sessions that clients have are mixed up by now, and they keep them.
  pooler.become(sessionMode);
  await until("a check that succeeds", async () => {
    await doubts.settled()?.catch(() => {});
    return doubts.settled() === undefined;
  });
  for (let time = 0; time < 3; time += 1) expect(await write()).toEqual([]);
  expect(await askAll(write)).toEqual([]);
  expect(told).toEqual([expect.any(NoOwnSessions), undefined]);
});

test("A request waits for the check, and not longer than its signal says", async () => {
  const { pooler, read, database, doubts } = await openBehind(sessionMode);
  await read();
  // What is checked waits for sessions as long as there are none.
  pooler.become({ ...sessionMode, sessions: 0 });
  doubts.raise();
  const over = new AbortController();
  const reason = new Error("too late");
  const late = database.query(sql`select`, over.signal);
  const patient = read();
  over.abort(reason);
  await expect(late).rejects.toBe(reason);
  pooler.become(sessionMode);
  expect(await patient).toEqual([{ one: 1 }]);
});

test("On direct connections nothing is ever in doubt", async () => {
  const told: unknown[] = [];
  const connection = { connectionString: testDatabase.url };
  const doubts = openDoubts(connection, (problem) => told.push(problem));
  const database = openDatabase({ connection, poolSize: 5, statementTimeoutMs: 60_000, onIdleError: () => {}, doubts });
  const ask = () => [
    database.query(named("test: one", sql`select 1`), signal),
    database.transaction(signal, ({ query }) => query(named("test: two", sql`select 2`))),
  ];
  for (let time = 0; time < 20; time += 1) await Promise.all([1, 2, 3].flatMap(ask));
  expect([told, doubts.settled(), doubts.failures()]).toEqual([[], undefined, 0]);
  await database.close();
});

describe("Cancelling", () => {
  test("ends the statement of the session, whatever process id the pooler tells, and no other one", async () => {
    const lock = await hold(testDatabase, "lock table notes in access exclusive mode");
    const innocent = testDatabase.query("select from notes");
    await lock.untilWaiting(1);
    const [session] = await testDatabase.query<{ pid: number }>(
      "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    const { database } = await openBehind({ ...sessionMode, processId: session?.pid ?? 0 });
    const over = new AbortController();
    const reason = new Error("too late");
    const late = database.query(sql`select from notes`, over.signal);
    await lock.untilWaiting(2);
    over.abort(reason);
    await expect(late).rejects.toBe(reason);
    await lock.untilWaiting(1);
    await lock.rollback();
    expect(await innocent).toEqual([]);
  });
});
