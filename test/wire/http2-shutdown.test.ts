import { once } from "node:events";
import { connect } from "node:net";
import { beforeEach, expect, test } from "vitest";
import { smallWorldOfTests } from "../support/database.ts";
import { type Http2Client, openHttp2 } from "../support/http2.ts";
import { getFrame, openFrames, preface } from "../support/http2-frames.ts";
import { type HeldTransaction, hold } from "../support/locks.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { until } from "../support/until.ts";

let server: TestServer;
let lock: HeldTransaction;
let client: Http2Client;

const database = await smallWorldOfTests();
const token = await database.token("root");

beforeEach(async () => {
  server = await startTestServer({ database });
  lock = await hold(database, "lock table authorizations in access exclusive mode");
  client = openHttp2(server.url);
  await once(client.session, "remoteSettings");
});

const everyStream = 2 ** 31 - 1;

test("A server that stops says so, answers what is in flight, and closes", async () => {
  const goaways: number[] = [];
  client.session.on("goaway", (_code, lastStreamId) => goaways.push(lastStreamId));
  const answer = client.call("ListAuthorizations", token);
  await lock.untilWaiting(1);
  const stopping = server.stop({ gently: true });
  await until("the announcement", () => goaways.includes(everyStream));
  await server.untilRefusing();
  await until("the last id", () => goaways.length === 2);
  await lock.rollback();
  expect((await answer).body.pagination.totalResult).toBe(6);
  await stopping;
  await until("the session to close", () => client.session.destroyed);
  // Node repeats the last id when it closes the session, unless the client was first.
  expect([...new Set(goaways)]).toEqual([everyStream, 1]);
});

test("It answers what was sent before the client knew, and is not ready any more", async () => {
  await lock.rollback();
  const connection = openFrames(server.url);
  await connection.one("settings");
  const stopping = server.stop({ gently: true });
  await connection.one("goaway");
  connection.send(getFrame(1, "/readyz"));
  const body = await connection.one("data", 1);
  expect(JSON.parse(String(body.payload))).toEqual({ status: "not ready" });
  await stopping;
  await connection.untilClosed();
});

test("It waits for no client that keeps an idle connection, says nothing, or doesn't hang up", async () => {
  await lock.rollback();
  const port = Number(new URL(server.url).port);
  const silent = [Buffer.alloc(0), preface.subarray(0, 5), preface].map((bytes) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    socket.on("error", () => {}).write(bytes);
    return socket;
  });
  await until("all connections", async () => (await server.openConnections()) === 4);
  await server.stop({ gently: true });
  await until("the session to close", () => client.session.destroyed);
  for (const socket of silent) socket.destroy();
});
