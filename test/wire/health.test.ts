import { afterEach, describe, expect, test } from "vitest";
import { databaseOfTests } from "../support/database.ts";
import { hold } from "../support/locks.ts";
import { openRaw, request } from "../support/raw-http.ts";
import { serverInTest, serveTests } from "../support/server.ts";
import { proxyOfTests } from "../support/tcp-proxy.ts";
import { until } from "../support/until.ts";

const database = await databaseOfTests();
const proxy = await proxyOfTests(database.url);
const server = await serveTests({ database: { ...database, url: proxy.url } });

afterEach(() => proxy.restore());

async function ask(path: string, method = "GET") {
  const response = await fetch(server.url + path, { method });
  const text = await response.text();
  return [response.status, text === "" ? undefined : JSON.parse(text)];
}

const ready = [200, { status: "ready" }];
const notReady = [503, { status: "not ready" }];
const alive = [200, { status: "alive" }];

test("/healthz and /readyz are answered without credentials", async () => {
  expect(await ask("/healthz")).toEqual(alive);
  expect(await ask("/readyz")).toEqual(ready);
  expect(await ask("/healthz", "HEAD")).toEqual([200, undefined]);
  expect(await ask("/readyz", "HEAD")).toEqual([200, undefined]);
});

test("However many ask at once whether it is ready, Postgres is asked once, and all are told that it is", async () => {
  // For whose one connection 20 may wait.
  const small = await serverInTest({ database, poolSize: 1 });
  const lock = await hold(database, "lock table migrations in access exclusive mode");
  const connections = Array.from({ length: 40 }, () => openRaw(small.url));
  for (const connection of connections) connection.send(request("GET /readyz HTTP/1.1", { host: "x" }));
  await lock.untilWaiting(1);
  await until("all to be there", async () => (await small.openConnections()) === 40);
  await lock.rollback();
  const answers = await Promise.all(connections.map((connection) => connection.answers(1)));
  for (const connection of connections) connection.close();
  expect(new Set(answers.map(([answer]) => answer?.status))).toEqual(new Set([200]));
});

describe("/readyz is 503 while /healthz stays 200", () => {
  test("when a migration is missing", async () => {
    const [last] = await database.query<{ name: string }>("select name from migrations order by id desc limit 1");
    await database.query("update migrations set name = 'another' where name = $1", [last?.name]);
    expect([await ask("/readyz"), await ask("/healthz")]).toEqual([notReady, alive]);
    await database.query("update migrations set name = $1 where name = 'another'", [last?.name]);
    expect(await ask("/readyz")).toEqual(ready);
  });

  test("when no migration was ever applied", async () => {
    await database.query("alter table migrations rename to not_migrations");
    expect([await ask("/readyz"), await ask("/healthz")]).toEqual([notReady, alive]);
    await database.query("alter table not_migrations rename to migrations");
    expect(await ask("/readyz")).toEqual(ready);
  });

  test("when Postgres cannot be reached", async () => {
    await proxy.cut();
    expect([await ask("/readyz"), await ask("/healthz")]).toEqual([notReady, alive]);
    await proxy.restore();
    expect(await ask("/readyz")).toEqual(ready);
  });

  test("when Postgres does not answer, and ready again as soon as it does", async () => {
    proxy.swallow();
    expect([await ask("/readyz"), await ask("/healthz")]).toEqual([notReady, alive]);
    await proxy.restore();
    expect(await ask("/readyz")).toEqual(ready);
  });
});
