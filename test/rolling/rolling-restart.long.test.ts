import { afterAll, expect, test } from "vitest";
import { assign } from "../support/assign.ts";
import { smallWorldOfTests } from "../support/database.ts";
import { expectInvariants } from "../support/invariants.ts";
import { openBalancer } from "./balancer.ts";
import { startLoad } from "./load.ts";
import { freeUrls, type Server, startServer, stopServer } from "./servers.ts";

const database = await smallWorldOfTests();
let servers: Server[] = [];

afterAll(async () => {
  for (const { running } of servers) running.process.kill("SIGKILL");
  await Promise.all(servers.map(({ running }) => running.ended));
});

test("Two servers are restarted one after the other under load, and no request fails", async () => {
  const token = await database.token("root");
  const own: string[] = [];
  for (let number = 0; number < 8; number += 1) own.push((await assign(database)).id);
  // Longer than the balancer takes to notice.
  const start = (url: string) => startServer(url, database.url, { SHUTDOWN_DELAY_MS: "500", DATABASE_POOL_SIZE: "4" });
  servers = (await freeUrls(2)).map(start);
  const balancer = openBalancer(servers.map(({ url }) => url));
  for (const { url } of servers) await balancer.untilReady(url);

  const load = startLoad(balancer, token, own);
  for (const [index, server] of servers.entries()) {
    expect(await stopServer(server)).toBe(0);
    servers[index] = start(server.url);
    await balancer.untilReady(server.url);
  }
  const { answered, failures } = await load.stop();
  await balancer.close();

  expect(failures).toEqual([]);
  expect(answered).toBeGreaterThan(100);
  await expectInvariants(database);
});
