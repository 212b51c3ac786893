// Each worker enforces its part of every limit on its own: docs/how-to/use-all-cores.md.

import { describe, expect, test } from "vitest";
import { smallWorldOfTests } from "../../support/database.ts";
import { callOf, type Http2Client } from "../../support/http2.ts";
import { hold } from "../../support/locks.ts";
import { openRaw, request } from "../../support/raw-http.ts";
import { expectRefusal, overloaded, rateLimited } from "../../support/refusals.ts";
import { until } from "../../support/until.ts";
import { startWorkers } from "../../support/workers.ts";

const database = await smallWorldOfTests();
const tokens = { root: await database.token("root"), ann: await database.token("ann") };

/** So no request gives up on a busy machine before the test lets it. */
const patient = { QUEUE_TIMEOUT_MS: "60000", DEFAULT_TIMEOUT_MS: "60000" };

/** Starts a server, and opens a connection to each worker. */
async function start(env: Record<string, string>): Promise<[Http2Client, Http2Client]> {
  const server = await startWorkers({ DATABASE_URL: database.url, ...patient, ...env });
  const [one, other] = (await server.connections()).values();
  return [one as Http2Client, other as Http2Client];
}

const list = (client: Http2Client, token: string) => client.call("ListAuthorizations", token);

describe("Requests in flight", () => {
  test("of a caller are half of a worker's part of MAX_REQUESTS_IN_FLIGHT, on each worker", async () => {
    const [one, other] = await start({ MAX_REQUESTS_IN_FLIGHT: "8" });
    const lock = await hold(database, "lock table authorizations in access exclusive mode");
    const mine = [one, one, other, other].map((client) => list(client, tokens.ann));
    await lock.untilWaiting(4);
    for (const client of [one, other]) expectRefusal(await list(client, tokens.ann), rateLimited);
    const others = [list(one, tokens.root), list(other, tokens.root)];
    await lock.untilWaiting(6);
    await lock.rollback();
    expect((await Promise.all([...mine, ...others])).map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect((await list(other, tokens.ann)).status).toBe(200);
  });

  test("are MAX_REQUESTS_IN_FLIGHT in all, divided among the workers", async () => {
    const [one, other] = await start({ MAX_REQUESTS_IN_FLIGHT: "4" });
    const lock = await hold(database, "lock table tokens in access exclusive mode");
    const both = (client: Http2Client) => [list(client, tokens.root), list(client, tokens.ann)];
    const admitted = both(one);
    await lock.untilWaiting(2);
    expectRefusal(await list(one, tokens.root), overloaded);
    admitted.push(...both(other));
    await lock.untilWaiting(4);
    for (const client of [one, other]) expectRefusal(await list(client, tokens.root), overloaded);
    await lock.rollback();
    expect((await Promise.all(admitted)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await list(other, tokens.root)).status).toBe(200);
  });
});

test("One ApplyChanges of a caller runs at a time on each worker", async () => {
  const [one, other] = await start({});
  const rename = (client: Http2Client, name: string) => {
    const path = { ":path": "/service.directory.v1.DirectoryService/ApplyChanges" };
    const body = JSON.stringify({ changes: [{ organization: { id: "acme", name } }] });
    return client.send({ ...callOf("", tokens.root), ...path }, body);
  };
  const held = await hold(database, "select pg_advisory_xact_lock(7206381402113)");
  const onOne = [rename(one, "1"), rename(one, "2"), rename(one, "3")];
  await held.untilWaiting(1);
  // Answered after those before it on its connection have arrived.
  expect((await list(one, tokens.root)).status).toBe(200);
  await held.untilWaiting(1);
  const onOther = rename(other, "4");
  await held.untilWaiting(2);
  await held.commit();
  for (const answer of await Promise.all([...onOne, onOther])) expect(answer.status).toBe(200);
});

test("RATE_LIMIT is divided among the workers", async () => {
  const [one, other] = await start({ RATE_LIMIT: "4", RATE_LIMIT_PERIOD_MS: "86400000" });
  for (const client of [one, other]) {
    for (const _ of [1, 2]) expect((await list(client, tokens.root)).status).toBe(200);
    const answer = await list(client, tokens.root);
    expect([answer.status, Number(answer.headers.get("retry-after"))]).toEqual([429, expect.any(Number)]);
    expect(answer.body.message).toContain("more than 2 requests in 86400 s");
    expect((await list(client, tokens.ann)).status).toBe(200);
  }
});

test("MAX_CONNECTIONS are served in all, divided among the workers, and the next are closed", async () => {
  const { url } = await startWorkers({ DATABASE_URL: database.url, MAX_CONNECTIONS: "3" });
  const healthy = request("GET /healthz HTTP/1.1", { host: "x" });
  /** A worker that has its part closes a connection, even if another one has room. */
  const serve = () =>
    until("a worker with room", async () => {
      const connection = openRaw(url);
      connection.send(healthy);
      const answered = connection.answers(1).then(() => connection);
      return Promise.race([answered, connection.untilClosed().then(() => undefined)]);
    });
  const three = [await serve(), await serve(), await serve()];
  for (let count = 0; count < 6; count += 1) await openRaw(url).untilClosed();
  for (const connection of three) connection.send(healthy);
  for (const connection of three) expect((await connection.answers(2))[1]?.status).toBe(200);
  three[1]?.close();
  const next = await serve();
  for (const connection of [...three, next]) connection.close();
});
