import { beforeAll, expect, test } from "vitest";
import { replicatedOfTests } from "../../support/replicated.ts";
import { scrape } from "../../support/scrape.ts";
import { serveTests, type TestServer } from "../../support/server.ts";
import { until } from "../../support/until.ts";
import { smallWorld } from "../../support/world.ts";

const world = await replicatedOfTests();
const { database } = world.primary;
await database.import(...smallWorld);
const options = { database, replicaUrls: world.replicas.map(({ url }) => url), metrics: true };
const servers = [await serveTests(options), await serveTests(options)] as const;
beforeAll(async () => {
  for (const server of servers) await until("both replicas to be used", async () => (await used(server)) === 2);
});

/** The series of a metric with their values. */
const metric = async (server: TestServer, name: string) =>
  [...(await scrape(server.metricsUrl)).values].filter(([series]) => series.startsWith(`${name}{`));
const used = async (server: TestServer) =>
  (await metric(server, "authorization_replica_used")).filter(([, value]) => value === 1).length;

test("a revoked token is refused by the very next request to any server, and an added one accepted", async () => {
  for (let number = 1; number <= 30; number += 1) {
    const token = await world.primary.database.token("ann");
    for (const server of servers) expect((await server.call("ListAuthorizations", {}, { token })).status).toBe(200);
    await world.primary.database.query("delete from tokens");
    for (const server of servers) expect((await server.call("ListAuthorizations", {}, { token })).status).toBe(401);
  }
});

test("what replicas do is in the metrics", async () => {
  const reads = await metric(servers[0], "authorization_reads_total");
  expect(reads.map(([series]) => series)).toEqual([
    'authorization_reads_total{server="primary"}',
    ...world.replicas.map(({ url }) => `authorization_reads_total{server="${new URL(url).host}"}`),
  ]);
  const [replica] = world.replicas;
  await replica?.network.cut();
  const name = new URL(replica?.url ?? "").host;
  await until("the reason", async () =>
    (await metric(servers[0], "authorization_replica_left_out")).some(
      ([series]) => series === `authorization_replica_left_out{replica="${name}",reason="unreachable"}`,
    ),
  );
  expect(await metric(servers[0], "authorization_replica_lag_bytes")).toHaveLength(2);
  expect((await fetch(`${servers[0].url}/readyz`)).status).toBe(200);
  expect(servers[0].log).toContainEqual(
    expect.objectContaining({ replica: name, reason: "unreachable", msg: expect.stringContaining("left out") }),
  );
  await replica?.network.restore();
  await until("the replica to be used again", async () => (await used(servers[0])) === 2);
});
