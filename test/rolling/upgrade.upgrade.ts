import { expect, test } from "vitest";
import { runCommand } from "../support/command.ts";
import { databaseInTest, type TestDatabase } from "../support/database.ts";
import { expectInvariants } from "../support/invariants.ts";
import { smallWorld } from "../support/world.ts";
import { startLoad } from "./load.ts";
import { makeNextRelease } from "./next-release.ts";
import { deploy, startServer, stopServer } from "./servers.ts";

const applied = async (database: TestDatabase) =>
  (await database.query<{ name: string }>("select name from migrations order by name")).map(({ name }) => name);

// Longer than command.ts lets the tests of its users take.
const longest = { timeout: 180_000 };

test("However many servers start on an empty database, its migrations run once", longest, async () => {
  const database = await databaseInTest("template0");
  await deploy(5, (url) => startServer(url, database.url));
  const names = await applied(database);
  expect(names).toEqual([...new Set(names)]);
  expect(names[0]).toBe("0001_directory");
});

test(
  "A release runs on while its database is migrated by the next, and is replaced server by server; no request fails",
  longest,
  async () => {
    const next = await makeNextRelease();
    const database = await databaseInTest("template0");
    const { servers, balancer } = await deploy(2, (url) => startServer(url, database.url));
    const before = await applied(database);
    const input = smallWorld.map((change) => JSON.stringify(change)).join("\n");
    const imported = await runCommand(["import", "-"], { env: { DATABASE_URL: database.url }, input });
    expect(imported).toMatchObject({ code: 0 });

    const load = await startLoad(balancer, database);
    const migrated = await runCommand(["migrate"], { env: { DATABASE_URL: database.url }, main: next });
    expect(migrated).toMatchObject({ code: 0 });
    expect(await applied(database)).toEqual([...before, "9000_invented"]);
    for (const [index, server] of servers.entries()) {
      await balancer.takeOut(server.url);
      expect(await stopServer(server)).toBe(0);
      servers[index] = startServer(server.url, database.url, {}, next);
      balancer.putIn(server.url);
      await balancer.untilReady(server.url);
    }
    const { answered, failures } = await load.stop();

    expect(failures).toEqual([]);
    expect(answered).toBeGreaterThan(500);
    await expectInvariants(database);
    const counted = await runCommand(["check"], { env: { DATABASE_URL: database.url }, main: next });
    expect(counted).toMatchObject({ code: 0 });
  },
);
