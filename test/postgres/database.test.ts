import sql from "sql-template-tag";
import { expect, test, vi } from "vitest";
import { databaseOfTests, openForTests, openService } from "../support/database.ts";
import { proxyOfTests } from "../support/tcp-proxy.ts";

const testDatabase = await databaseOfTests();
const proxy = await proxyOfTests(testDatabase.url);
const database = openForTests(proxy.url, 1);

test("a transaction that cannot even begin ends with its signal and gives its connection up", async () => {
  await database.query(sql`select`, new AbortController().signal);
  proxy.swallow();
  await expect(database.transaction(AbortSignal.timeout(200), async () => {})).rejects.toThrow(/timeout/);
  await proxy.restore();
  expect(await database.query(sql`select 1 as one`, AbortSignal.timeout(5_000))).toEqual([{ one: 1 }]);
});

test("of statements that were sent together the one that failed tells why, not those behind it", async () => {
  const working = database.transaction(AbortSignal.timeout(5_000), async ({ query }) => {
    const inner = async () => Promise.all([query(sql`select 1 / 0`), query(sql`select 1`)]);
    await Promise.all([inner(), query(sql`select 1`)]);
  });
  await expect(working).rejects.toMatchObject({ code: "22012" });
});

test("of connections that nothing uses any more, one stays open for the next request", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const pausing = openService(testDatabase.url, { poolSize: 3 });
  try {
    const session = () =>
      pausing.query<{ pid: number }>(sql`select pg_backend_pid() as pid`, new AbortController().signal);
    const used = (await Promise.all([session(), session(), session()])).flat().map(({ pid }) => pid);
    expect([new Set(used).size, pausing.load().connections]).toEqual([3, 3]);
    vi.advanceTimersByTime(60_000);
    expect(pausing.load().connections).toBe(1);
    expect(used).toContain((await session())[0]?.pid);
  } finally {
    vi.useRealTimers();
    await pausing.close();
  }
});
