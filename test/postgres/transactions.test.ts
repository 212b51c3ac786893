import type pg from "pg";
import sql from "sql-template-tag";
import { describe, expect, test } from "vitest";
import type { Connections } from "../../src/postgres/pool/connections.ts";
import { inTransaction } from "../../src/postgres/pool/transaction.ts";
import { databaseOfTests, openForTests } from "../support/database.ts";

const { signal } = new AbortController();
const testDatabase = await databaseOfTests();
await testDatabase.query("create table counters (name text primary key, value integer not null)");
await testDatabase.query("insert into counters values ('left', 0), ('right', 0)");
const database = openForTests(testDatabase.url, 3);

describe("A transaction", () => {
  test("that Postgres undid to end a circle of waiting is done once more, and counts once", async () => {
    let attempts = 0;
    const bothHoldOne = meeting(2);
    const add = (first: string, second: string) =>
      database.transaction(signal, async (connection) => {
        attempts += 1;
        // The second time it could take the row before the other, which has waited for it, and both would wait again.
        if (attempts > 2) await Promise.race(both);
        await connection.query(sql`update counters set value = value + 1 where name = ${first}`);
        await bothHoldOne();
        await connection.query(sql`update counters set value = value + 1 where name = ${second}`);
      });
    const both = [add("left", "right"), add("right", "left")];
    await Promise.all(both);
    expect(attempts).toBe(3);
    expect(await testDatabase.query("select value from counters")).toEqual([{ value: 2 }, { value: 2 }]);
  });

  test("that fails for another reason is not done again, and leaves nothing", async () => {
    let attempts = 0;
    const failing = database.transaction(signal, async (connection) => {
      attempts += 1;
      await connection.query(sql`insert into counters values ('new', 1)`);
      await connection.query(sql`insert into counters values ('left', 1)`);
    });
    await expect(failing).rejects.toMatchObject({ code: "23505" });
    expect(attempts).toBe(1);
    expect(await testDatabase.query("select name from counters where name = 'new'")).toEqual([]);
  });

  test("whose signal aborts before the commit leaves nothing", async () => {
    const over = new AbortController();
    const reason = new Error("too late");
    const late = database.transaction(over.signal, async (connection) => {
      await connection.query(sql`insert into counters values ('late', 1)`);
      over.abort(reason);
    });
    await expect(late).rejects.toBe(reason);
    expect(await testDatabase.query("select name from counters where name = 'late'")).toEqual([]);
  });
});

test("Nothing is cancelled before the begin is answered, so no statement can run without a transaction", async () => {
  const begun = Promise.withResolvers<object>();
  const never = Promise.withResolvers<object>();
  const asked: unknown[] = [];
  const client = {
    query(statement: string | { text: string }) {
      asked.push(typeof statement === "string" ? statement : statement.text);
      if (statement === "begin") return begun.promise;
      return statement === "rollback" ? Promise.resolve({}) : never.promise;
    },
    connection: { stream: { destroyed: false, destroy() {} } },
  } as unknown as pg.PoolClient;
  const over = new AbortController();
  const reason = new Error("too late");
  const connections = {
    async cancel() {
      asked.push("cancel");
      never.reject(reason);
    },
  } as unknown as Connections;
  const late = inTransaction(connections, client, over.signal, ({ query }) =>
    query(sql`insert into counters default values`),
  );
  late.catch(() => {});
  over.abort(reason);
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toEqual(["begin", "insert into counters default values"]);
  begun.resolve({});
  await expect(late).rejects.toBe(reason);
  expect(asked.slice(2)).toEqual(["cancel", "rollback"]);
});

/** Lets callers go on once so many have come, and holds up nobody afterwards. */
function meeting(size: number): () => Promise<void> {
  const everybody = Promise.withResolvers<void>();
  let here = 0;
  return () => {
    here += 1;
    if (here >= size) everybody.resolve();
    return everybody.promise;
  };
}
