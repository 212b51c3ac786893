import { expect, test } from "vitest";
import { smallWorldOfTests } from "../support/database.ts";
import { expectInvariants } from "../support/invariants.ts";
import { startLoad } from "./load.ts";
import { deploy, startServer, stopServer } from "./servers.ts";

const database = await smallWorldOfTests();

test("Two servers are restarted one after the other under load, and no request fails", async () => {
  // Longer than the balancer takes to notice.
  const start = (url: string) => startServer(url, database.url, { SHUTDOWN_DELAY_MS: "500", DATABASE_POOL_SIZE: "4" });
  const { servers, balancer } = await deploy(2, start);

  const load = await startLoad(balancer, database);
  for (const [index, server] of servers.entries()) {
    expect(await stopServer(server)).toBe(0);
    servers[index] = start(server.url);
    await balancer.untilReady(server.url);
  }
  const { answered, failures } = await load.stop();

  expect(failures).toEqual([]);
  expect(answered).toBeGreaterThan(100);
  await expectInvariants(database);
});
