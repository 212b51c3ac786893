import { beforeAll, expect, onTestFinished, test } from "vitest";
import { AuthorizationHistoryService } from "../../../gen/service/authorization/v2/authorization_history_service_pb.ts";
import { appendEvents } from "../../support/append-events.ts";
import { hold } from "../../support/locks.ts";
import { clientOf, type Way, ways } from "../../support/protocols.ts";
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

test("the feed asks the primary alone, which knows what is open while others commit", async () => {
  const [server] = servers;
  const { database } = world.primary;
  const token = await database.token("root");
  const over = new AbortController();
  onTestFinished(() => over.abort());
  const client = clientOf(AuthorizationHistoryService, ways[0] as Way, server.url, token);
  const messages = client.watchAuthorizations({}, { signal: over.signal })[Symbol.asyncIterator]();
  await messages.next();
  const ids: string[] = [];
  async function told(count: number): Promise<string[]> {
    while (ids.length < count) {
      const { value } = await messages.next();
      ids.push(...value.events.map(({ authorizationId }: { authorizationId: string }) => authorizationId));
    }
    return ids;
  }
  const open = await hold(
    database,
    appendEvents(`
      select id, 'user.grant.changed', now(), null, user_id, project_id, organization_id, '', '{}'::text[], state
      from authorizations where id = 'a1'`),
  );
  for (const [index, rpc] of ["DeactivateAuthorization", "ActivateAuthorization"].entries()) {
    expect((await server.call(rpc, { id: "a4" }, { token })).status).toBe(200);
    await told(index + 1);
  }
  await open.commit();
  expect(await told(3)).toEqual(["a4", "a4", "a1"]);
  // On a replica, the statements of the feed would fail, and the primary would then answer.
  const returned = await metric(server, "authorization_replica_returned_total");
  expect(returned.filter(([series]) => series.includes('reason="failed"'))).toEqual([]);
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
