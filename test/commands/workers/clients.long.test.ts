// Clients that are slow, elsewhere or many, for all workers together: docs/how-to/use-all-cores.md.

import { expect, onTestFinished, test } from "vitest";
import { post } from "../../support/call-headers.ts";
import { smallWorldOfTests } from "../../support/database.ts";
import { callText, openRaw } from "../../support/raw-http.ts";
import { startReplicated } from "../../support/replicated.ts";
import { scrape } from "../../support/scrape.ts";
import { stop } from "../../support/start-in-test.ts";
import { until } from "../../support/until.ts";
import { startWorkers } from "../../support/workers.ts";
import { smallWorld } from "../../support/world.ts";

const smallDatabase = await smallWorldOfTests();
const owner = await smallDatabase.token("root");

/** A call on a connection of its own. The connections go to the workers in turn. */
async function call(url: string, token: string): Promise<number | undefined> {
  const answer = await post(url, token, "ListAuthorizations", {}, { headers: { connection: "close" } });
  await answer.text();
  return answer.status;
}

test("Clients that send slowly hold up no one, whichever worker has them", async () => {
  const { url } = await startWorkers({ DATABASE_URL: smallDatabase.url, MAX_REQUESTS_IN_FLIGHT: "8" });
  const ann = await smallDatabase.token("ann");
  // Some stop in the middle of their headers, and the others in the middle of a body.
  const slow = Array.from({ length: 12 }, (_, number) => {
    const connection = openRaw(url);
    const whole = callText(ann, { headers: { "content-length": "100" } });
    connection.send(number < 8 ? whole.slice(0, 60) : whole);
    return connection;
  });
  for (let count = 0; count < 8; count += 1) expect(await call(url, owner)).toBe(200);
  for (const connection of slow) connection.close();
  await until("their shares to be free", async () => (await call(url, ann)) === 200);
});

test("HOST can be a name or an IPv6 address, and all workers serve it", async () => {
  for (const [host, shown] of [
    ["localhost", /^http:\/\/localhost:\d+$/],
    ["::1", /^http:\/\/\[::1\]:\d+$/],
    ["::", /^http:\/\/127\.0\.0\.1:\d+$/],
  ] as const) {
    const server = await startWorkers({ DATABASE_URL: smallDatabase.url, HOST: host });
    expect(server.url).toMatch(shown);
    const { port } = new URL(server.url);
    const url = host === "::1" ? server.url : `http://localhost:${port}`;
    for (let count = 0; count < 4; count += 1) expect(await call(url, owner)).toBe(200);
    const lines = await until("requests of both workers", () => {
      const pids = new Set(server.log().flatMap(({ rpc, pid }) => (rpc === undefined ? [] : [pid])));
      return pids.size === 2 && pids;
    });
    expect([...lines].toSorted()).toEqual(server.pids().toSorted());
    await stop(server);
  }
});

test("With replicas, no worker is stale: what one has acknowledged, and a revoked token, is seen by the next request to any", async () => {
  const world = await startReplicated();
  onTestFinished(() => world.stop());
  const { database } = world.primary;
  await database.import(...smallWorld);
  const urls = world.replicas.map(({ url }) => url);
  const server = await startWorkers({ DATABASE_URL: database.url, DATABASE_REPLICA_URLS: urls.join(" ") });
  const reads = async () =>
    [...(await scrape(server.metricsUrl)).values].filter(
      ([series]) => series.startsWith("authorization_reads_total{") && !series.includes('"primary"'),
    );
  const root = await database.token("root");
  const clients = [...(await server.connections()).values()];
  // Each worker takes them up when it has seen them follow the primary.
  await until("replicas to be read", async () => {
    for (const client of clients) await client.call("ListAuthorizations", root);
    const found = await reads();
    return found.length === 2 && found.every(([, value]) => value > 0);
  });
  for (let round = 1; round <= 15; round += 1) {
    const [writer, reader] = round % 2 ? clients : clients.toReversed();
    const roleKeys = round % 2 ? ["auditor"] : ["owner", "seller"];
    expect((await writer?.call("UpdateAuthorization", root, { id: "a1", roleKeys }))?.status).toBe(200);
    const token = await database.token("ann");
    for (const client of [reader, writer]) {
      const { body, status } = (await client?.call("ListAuthorizations", token, {})) ?? { status: 0 };
      expect(status).toBe(200);
      const keys = body.authorizations.find(({ id }: { id: string }) => id === "a1").roles.map(({ key }: any) => key);
      expect(keys.toSorted()).toEqual(roleKeys);
    }
    await database.query("delete from tokens where user_id = 'ann'");
    for (const client of clients) expect((await client.call("ListAuthorizations", token)).status).toBe(401);
  }
  for (const client of clients) await client.close();
});
