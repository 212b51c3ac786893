import type pg from "pg";
import sql from "sql-template-tag";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { openCancelling } from "../../src/postgres/pool/cancelling.ts";
import { NoOwnSessions } from "../../src/postgres/pool/failures.ts";
import { takeSession } from "../../src/postgres/pool/own-session.ts";
import { named } from "../../src/postgres/pool/prepared.ts";
import { databaseOfTests, openService } from "../support/database.ts";
import {
  anyOther,
  carryingMode,
  openFakePooler,
  type PoolerKind,
  sameAsBefore,
  sessionMode,
  transactionMode,
} from "../support/fake-pooler.ts";
import { hold, waitingSessions } from "../support/locks.ts";
import { until } from "../support/until.ts";

const testDatabase = await databaseOfTests();
const { signal } = new AbortController();
await testDatabase.query("create table notes (text text)");
beforeEach(() => testDatabase.query("truncate notes"));

/** What requests use, by way of a pooler, and what is said about connections that nothing uses. */
async function openBehind(kind: PoolerKind) {
  const pooler = await openFakePooler(testDatabase.url, kind);
  const said: Error[] = [];
  const open = () => openService(pooler.url, { onIdleError: (error) => said.push(error) });
  const database = open();
  const other = open();
  onTestFinished(async () => void (await Promise.all([database.close(), other.close()])));
  const read = (on = database) => on.query(named("test: one", sql`select 1 as one`), signal);
  const write = () =>
    database.transaction(signal, ({ query }) => query(named("test: note", sql`insert into notes values ('kept')`)));
  return { pooler, said, database, other, read, write };
}

const refusal = {
  reason: "DATABASE_UNAVAILABLE",
  message: "the database can't be reached; try again",
  cause: expect.any(NoOwnSessions),
};

describe("A new connection is refused", () => {
  test.each([
    ["the session of one that is open", carryingMode],
    ["another session with each message", { ...transactionMode, pick: anyOther }],
  ])("if a pooler gives it %s", async (_, kind) => {
    const { read, other } = await openBehind(kind);
    await Promise.allSettled([read()]);
    await expect(read(other)).rejects.toMatchObject(refusal);
  });

  test("but not in session mode, nor without a pooler", async () => {
    const { read, other } = await openBehind(sessionMode);
    for (const on of [undefined, other]) expect(await read(on)).toEqual([{ one: 1 }]);
  });
});

describe("A connection that moves to another session", () => {
  test("is found by the check of /readyz, closed, and said to be broken; the next one is checked when it is new", async () => {
    const { pooler, said, database, other, read } = await openBehind({ ...carryingMode, pick: sameAsBefore });
    for (const on of [database, other]) {
      await read(on);
      await on.checkSession(signal);
    }
    pooler.become({ ...carryingMode, pick: anyOther });
    await expect(database.checkSession(signal)).rejects.toThrow(NoOwnSessions);
    expect(said.map(({ message }) => message)).toEqual([
      expect.stringMatching(/moved from .+ set the pooler to session/),
    ]);
    pooler.become(sessionMode);
    // The pooler resets a session when a refused connection gives it back.
    await until("service", () => read().catch(() => false));
    await database.checkSession(signal);
  });

  test("is closed when a prepared statement is missing there, and a change leaves nothing", async () => {
    const { pooler, write } = await openBehind({ ...transactionMode, pick: sameAsBefore });
    await write();
    pooler.become({ ...transactionMode, pick: anyOther });
    await expect(write()).rejects.toMatchObject({ reason: "DATABASE_UNAVAILABLE", cause: { code: "26000" } });
    expect(await testDatabase.query("select from notes")).toHaveLength(1);
    pooler.become(sessionMode);
    await write();
    expect(await testDatabase.query("select from notes")).toHaveLength(2);
  });
});

describe("Cancelling", () => {
  test("ends the statement of the session, whatever process id the pooler tells, and no other one", async () => {
    const lock = await hold(testDatabase, "lock table notes in access exclusive mode");
    const innocent = testDatabase.query("select from notes");
    await lock.untilWaiting(1);
    const { database } = await openBehind({ ...sessionMode, processId: await waitingProcess() });
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

  test("hits no session of a later primary that has the same process id: the connection is closed instead", async () => {
    const lock = await hold(testDatabase, "lock table notes in access exclusive mode");
    const innocent = testDatabase.query("select from notes");
    await lock.untilWaiting(1);
    const found = { pid: await waitingProcess(), startedAt: "2000-01-01 00:00:00+00", mark: "", isReadOnly: false };
    let isClosed = false;
    const client = {
      async query(asked: string | object) {
        if (typeof asked !== "string") return { rows: [found] };
        const first = { ...found };
        found.mark = /'([0-9a-f]{12})'/.exec(asked)?.[1] ?? "";
        return [{ rows: [first] }, { rows: [] }];
      },
      connection: {
        stream: {
          destroy() {
            isClosed = true;
          },
        },
      },
    } as unknown as pg.PoolClient;
    await takeSession(client);
    const cancelling = openCancelling({ connectionString: testDatabase.url }, undefined, () => {});
    await cancelling.cancel(client);
    await cancelling.close();
    expect(isClosed).toBe(true);
    await lock.rollback();
    expect(await innocent).toEqual([]);
  });
});

const waitingProcess = async () => (await waitingSessions(testDatabase))[0] ?? 0;
