import sql from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Database, openDatabase } from "../../src/postgres/pool/database.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let testDatabase: TestDatabase;
let database: Database;
const { signal } = new AbortController();

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  await testDatabase.query("create table counters (name text primary key, value integer not null)");
  await testDatabase.query("insert into counters values ('left', 0), ('right', 0)");
  database = openDatabase({
    connection: { connectionString: testDatabase.url },
    poolSize: 3,
    statementTimeoutMs: 20_000,
    onIdleError: () => {},
  });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

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
    const late = database.transaction(over.signal, async (connection) => {
      await connection.query(sql`insert into counters values ('late', 1)`);
      over.abort(new Error("too late"));
    });
    await expect(late).rejects.toThrow("too late");
    expect(await testDatabase.query("select name from counters where name = 'late'")).toEqual([]);
  });
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
