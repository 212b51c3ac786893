import { afterEach, beforeEach, expect, test } from "vitest";
import { assign } from "../support/assign.ts";
import { runCommand } from "../support/command.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { expectInvariants } from "../support/invariants.ts";
import { smallWorld } from "../support/world.ts";
import { openBalancer } from "./balancer.ts";
import { startLoad } from "./load.ts";
import { makeNextRelease } from "./next-release.ts";
import { freeUrls, type Server, startServer, stopServer } from "./servers.ts";

let database: TestDatabase;
let servers: Server[];

beforeEach(async () => {
  servers = [];
  database = await createTestDatabase("template0");
});
afterEach(async () => {
  for (const { running } of servers) running.process.kill("SIGKILL");
  await Promise.all(servers.map(({ running }) => running.ended));
  await database.drop();
});

const applied = async () =>
  (await database.query<{ name: string }>("select name from migrations order by name")).map(({ name }) => name);

// Longer than command.ts lets the tests of its users take.
const longest = { timeout: 180_000 };

test("However many servers start on an empty database, its migrations run once", longest, async () => {
  servers = (await freeUrls(5)).map((url) => startServer(url, database.url));
  const balancer = openBalancer(servers.map(({ url }) => url));
  for (const { url } of servers) await balancer.untilReady(url);
  await balancer.close();
  const names = await applied();
  expect(names).toEqual([...new Set(names)]);
  expect(names[0]).toBe("0001_directory");
});

test(
  "A release runs on while its database is migrated by the next, and is replaced server by server; no request fails",
  longest,
  async () => {
    const next = await makeNextRelease();
    servers = (await freeUrls(2)).map((url) => startServer(url, database.url));
    const balancer = openBalancer(servers.map(({ url }) => url));
    for (const { url } of servers) await balancer.untilReady(url);
    const before = await applied();
    const input = smallWorld.map((change) => JSON.stringify(change)).join("\n");
    const imported = await runCommand(["import", "-"], { env: { DATABASE_URL: database.url }, input });
    expect(imported).toMatchObject({ code: 0 });
    const own: string[] = [];
    for (let number = 0; number < 8; number += 1) own.push((await assign(database)).id);
    const token = await database.token("root");

    const load = startLoad(balancer, token, own);
    const migrated = await runCommand(["migrate"], { env: { DATABASE_URL: database.url }, main: next });
    expect(migrated).toMatchObject({ code: 0 });
    expect(await applied()).toEqual([...before, "9000_invented"]);
    for (const [index, server] of servers.entries()) {
      await balancer.takeOut(server.url);
      expect(await stopServer(server)).toBe(0);
      servers[index] = startServer(server.url, database.url, {}, next);
      balancer.putIn(server.url);
      await balancer.untilReady(server.url);
    }
    const { answered, failures } = await load.stop();
    await balancer.close();

    expect(failures).toEqual([]);
    expect(answered).toBeGreaterThan(500);
    await expectInvariants(database);
    const counted = await runCommand(["check"], { env: { DATABASE_URL: database.url }, main: next });
    expect(counted).toMatchObject({ code: 0 });
  },
);
