// Limits hold for all workers of a server together: docs/how-to/use-all-cores.md.

import { once } from "node:events";
import type { ClientHttp2Stream, IncomingHttpHeaders } from "node:http2";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSmallWorld, type TestDatabase } from "../../support/database.ts";
import { callOf, type Http2Client, openHttp2 } from "../../support/http2.ts";
import { hold } from "../../support/locks.ts";
import { openRaw, request } from "../../support/raw-http.ts";
import { expectRefusal } from "../../support/refusals.ts";
import type { Answer } from "../../support/server.ts";
import { until } from "../../support/until.ts";
import { startWorkers, type WorkersServer } from "../../support/workers.ts";

let database: TestDatabase;
let server: WorkersServer | undefined;
let tokens: Record<"root" | "ann", string>;

beforeEach(async () => {
  database = await createSmallWorld();
  tokens = { root: await database.token("root"), ann: await database.token("ann") };
});
afterEach(async () => {
  server?.process.kill("SIGKILL");
  await server?.ended;
  await database.drop();
});

/** So no request gives up on a busy machine before the test lets it. */
const patient = { QUEUE_TIMEOUT_MS: "60000", DEFAULT_TIMEOUT_MS: "60000" };

/** Starts a server, and opens a connection to each worker. */
async function start(env: Record<string, string>): Promise<[Http2Client, Http2Client]> {
  server = await startWorkers({ DATABASE_URL: database.url, ...patient, ...env });
  const [one, other] = (await server.connections()).values();
  return [one as Http2Client, other as Http2Client];
}

const list = (client: Http2Client, token: string) => client.call("ListAuthorizations", token);
const rateLimited = { status: 429, code: "resource_exhausted", reason: "RATE_LIMITED" } as const;
const overloaded = { status: 503, code: "unavailable", reason: "OVERLOADED" } as const;
const refused = (answer: Answer, how: object) => expectRefusal(answer, how as typeof overloaded);

describe("Requests in flight", () => {
  test("of a caller are half of MAX_REQUESTS_IN_FLIGHT on one connection, and no more on several", async () => {
    const [one, other] = await start({ MAX_REQUESTS_IN_FLIGHT: "8" });
    const lock = await hold(database, "lock table authorizations in access exclusive mode");
    const mine = [1, 2, 3, 4].map(() => list(one, tokens.ann));
    await lock.untilWaiting(4);
    for (const client of [one, other]) {
      const answer = await list(client, tokens.ann);
      refused(answer, { ...rateLimited, metadata: { retryAfterSeconds: "1" } });
    }
    const others = [list(one, tokens.root), list(other, tokens.root)];
    await lock.untilWaiting(6);
    await lock.rollback();
    expect((await Promise.all([...mine, ...others])).map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect((await list(other, tokens.ann)).status).toBe(200);
  });

  test("are given back by clients that leave while other workers are asked", async () => {
    const [one] = await start({ MAX_REQUESTS_IN_FLIGHT: "8" });
    const visit = async (turns: number) => {
      const client = openHttp2(server?.url ?? "");
      const calls = Array.from({ length: 10 }, () => client.call("ListAuthorizations", "wrong").catch(() => undefined));
      await once(client.session, "remoteSettings");
      // Before, while and after the answers are sent.
      for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
      client.session.destroy();
      await Promise.all(calls);
    };
    for (let round = 0; round < 30; round += 1)
      await Promise.all([0, 1, 2, 3, 4, 5].map((n) => visit(n + (round % 12))));
    await until("all to be free again", async () => {
      const answers = await Promise.all(
        [1, 2, 3, 4, 5, 6, 7, 8].map((n) => list(one, n % 2 ? tokens.ann : tokens.root)),
      );
      return answers.every(({ status }) => status === 200);
    });
  });

  test("are MAX_REQUESTS_IN_FLIGHT in all, whichever worker serves them", async () => {
    const [one, other] = await start({ MAX_REQUESTS_IN_FLIGHT: "4" });
    const lock = await hold(database, "lock table tokens in access exclusive mode");
    const admitted = [1, 2, 3, 4].map((number) => list(one, number % 2 ? tokens.ann : tokens.root));
    await lock.untilWaiting(4);
    for (const client of [one, other]) refused(await list(client, tokens.root), overloaded);
    await lock.rollback();
    expect((await Promise.all(admitted)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await list(other, tokens.root)).status).toBe(200);
  });

  test("that a killed worker had are free again", async () => {
    const [one, other] = await start({ MAX_REQUESTS_IN_FLIGHT: "4" });
    const lock = await hold(database, "lock table tokens in access exclusive mode");
    const lost = [1, 2, 3, 4].map((number) => list(one, number % 2 ? tokens.ann : tokens.root).catch(() => "lost"));
    await lock.untilWaiting(4);
    refused(await list(other, tokens.root), overloaded);
    process.kill(await pidOf(one), "SIGKILL");
    expect(await Promise.all(lost)).toEqual(Array(4).fill("lost"));
    await lock.rollback();
    await until("room for others", async () => (await list(other, tokens.root)).status === 200);
  });
});

/** The worker that serves a connection. */
async function pidOf(client: Http2Client): Promise<number> {
  const requestId = `pid-${Math.random().toString().slice(2)}`;
  await client.send({ ":path": "/nothing", "x-request-id": requestId });
  return until("its line", () => server?.log().find((line) => line.requestId === requestId)?.pid as number | undefined);
}

test("Bytes of bodies are held for all workers together", async () => {
  const size = 1_000;
  const [one, other] = await start({ MAX_REQUEST_BYTES: String(size) });
  const body = `{}${" ".repeat(size - 2)}`;
  const held = new Set<ClientHttp2Stream>();
  const open = () => {
    const stream = one.session.request(callOf("ListAuthorizations", tokens.ann));
    held.add(stream);
    stream.on("error", () => {}).on("response", () => held.delete(stream));
    stream.write(body.slice(0, -1));
  };
  // All but their last byte is there. A caller holds eight on one connection, and the ninth is refused on any.
  await until("the ninth to be refused", async () => {
    while (held.size < 8) open();
    // So that those have arrived.
    expect((await one.send(callOf("ListAuthorizations", tokens.root), "{}")).status).toBe(200);
    const answer = await other.send(callOf("ListAuthorizations", tokens.ann), body);
    return answer.status === 429 && held.size === 8;
  });
  expect((await other.send(callOf("ListAuthorizations", tokens.root), body)).status).toBe(200);
  for (const stream of held) stream.close();
  await until("room for others", async () => {
    const answer = await other.send(callOf("ListAuthorizations", tokens.ann), body);
    return answer.status === 200;
  });
});

test("Two ApplyChanges of a caller run at a time, whichever workers they reach", async () => {
  const [one, other] = await start({});
  await database.load({ administrator: { userId: "bob", instance: true, roles: ["IAM_OWNER"] } });
  const bob = await database.token("bob");
  const rename = (client: Http2Client, name: string, token = tokens.root) => {
    const path = { ":path": "/service.directory.v1.DirectoryService/ApplyChanges" };
    const body = JSON.stringify({ changes: [{ organization: { id: "acme", name } }] });
    return client.send({ ...callOf("", token), ...path }, body);
  };
  const held = await hold(database, "select pg_advisory_xact_lock(7206381402113)");
  const onOne = [rename(one, "1"), rename(one, "2")];
  await held.untilWaiting(2);
  const late = [rename(other, "3"), rename(one, "4"), rename(other, "5")];
  // Answered after those before it on its connection have arrived.
  expect((await list(other, tokens.root)).status).toBe(200);
  const theirs = rename(other, "theirs", bob);
  await held.untilWaiting(3);
  await held.commit();
  for (const answer of await Promise.all([...onOne, ...late, theirs])) expect(answer.status).toBe(200);
});

test("A turn of a killed worker is free again", async () => {
  const [one, other] = await start({});
  const change = (client: Http2Client, name: string) =>
    client.send(
      { ...callOf("", tokens.root), ":path": "/service.directory.v1.DirectoryService/ApplyChanges" },
      JSON.stringify({ changes: [{ organization: { id: "acme", name } }] }),
    );
  const held = await hold(database, "select pg_advisory_xact_lock(7206381402113)");
  const lost = [change(one, "1"), change(one, "2")].map((answer) => answer.catch(() => "lost"));
  await held.untilWaiting(2);
  process.kill(await pidOf(one), "SIGKILL");
  expect(await Promise.all(lost)).toEqual(["lost", "lost"]);
  await held.rollback();
  expect((await change(other, "3")).status).toBe(200);
});

test("RATE_LIMIT is counted for all workers together", async () => {
  const [one, other] = await start({ RATE_LIMIT: "3", RATE_LIMIT_PERIOD_MS: "86400000" });
  for (const client of [one, other, one]) expect((await list(client, tokens.root)).status).toBe(200);
  for (const client of [one, other]) {
    const answer = await list(client, tokens.root);
    expect([answer.status, Number(answer.headers.get("retry-after"))]).toEqual([429, expect.any(Number)]);
    expect(answer.body.message).toContain("more than 3 requests in 86400 s");
  }
  for (const client of [one, other, other]) expect((await list(client, tokens.ann)).status).toBe(200);
});

test("MAX_CONNECTIONS are served, wherever they are, and the next is closed", async () => {
  server = await startWorkers({ DATABASE_URL: database.url, MAX_CONNECTIONS: "3" });
  const { url } = server;
  const healthy = request("GET /healthz HTTP/1.1", { host: "x" });
  const serve = async () => {
    const connection = openRaw(url);
    connection.send(healthy);
    expect((await connection.answers(1))[0]?.status).toBe(200);
    return connection;
  };
  const three = [await serve(), await serve(), await serve()];
  for (let count = 0; count < 3; count += 1) await openRaw(url).untilClosed();
  for (const connection of three) connection.send(healthy);
  for (const connection of three) expect((await connection.answers(2))[1]?.status).toBe(200);
  three[1]?.close();
  const next = await until("room for another", async () => {
    const connection = openRaw(url);
    connection.send(healthy);
    const answered = connection.answers(1).then(() => connection);
    return Promise.race([answered, connection.untilClosed().then(() => undefined)]);
  });
  for (const connection of [...three, next]) connection.close();
});

test("1,000 watches of gRPC's health are open, wherever they are, and the next is refused", async () => {
  const [one, other] = await start({});
  const watch = (client: Http2Client) => {
    const stream = client.session.request({
      ...{ ":method": "POST", ":path": "/grpc.health.v1.Health/Watch", "content-type": "application/grpc" },
      te: "trailers",
    });
    stream.end(Buffer.from([0, 0, 0, 0, 0]));
    return new Promise<string>((resolve) => {
      const refuse = (headers: IncomingHttpHeaders) =>
        headers["grpc-status"] === undefined || resolve(String(headers["grpc-status"]));
      stream.on("response", refuse).on("trailers", refuse);
      stream.on("data", () => resolve("open")).on("error", () => resolve("error"));
    });
  };
  // A connection has up to 100 streams.
  const clients = Array.from({ length: 11 }, () => openHttp2(server?.url ?? ""));
  const places = clients.slice(0, 10).flatMap((client) => Array<Http2Client>(100).fill(client));
  const openAll = async () => {
    const opened = await Promise.all(places.splice(0).map(async (client) => ({ client, status: await watch(client) })));
    // A worker that is very busy may not lend in time.
    places.push(...opened.filter(({ status }) => status !== "open").map(({ client }) => client));
    return places.length === 0;
  };
  await until("1,000 watches to be open", openAll);
  for (const client of [one, other, clients[10] as Http2Client]) expect(await watch(client)).toBe("8");
  for (const { session } of clients) session.destroy();
});
