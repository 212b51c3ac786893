import { beforeEach, expect, test } from "vitest";
import { smallWorldOfTests } from "../support/database.ts";
import { type HeldTransaction, hold } from "../support/locks.ts";
import { callText, openRaw, request } from "../support/raw-http.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { until } from "../support/until.ts";

let server: TestServer;
let lock: HeldTransaction;

const alive = request("GET /healthz HTTP/1.1", { host: "x" });

const database = await smallWorldOfTests();
const list = callText(await database.token("root"));

beforeEach(async () => {
  server = await startTestServer({ database });
  lock = await hold(database, "lock table authorizations in access exclusive mode");
});

/** Resolves as soon as the server takes no new connections. */
async function beginToStop() {
  const stopped = server.stop({ gently: true });
  await server.untilRefusing();
  return { stopped };
}

test("A server that stops answers what is in flight, and says that it is the last answer", async () => {
  const connection = openRaw(server.url);
  connection.send(list);
  await lock.untilWaiting(1);
  const { stopped } = await beginToStop();
  await lock.rollback();
  const [answer] = await connection.answers(1);
  expect([answer?.status, answer?.body.pagination.totalResult]).toEqual([200, 6]);
  expect(answer?.headers.get("connection")).toBe("close");
  await connection.untilClosed();
  await stopped;
});

test("It answers what comes meanwhile behind a request in flight, and closes after the last answer", async () => {
  const [connection, other] = [openRaw(server.url), openRaw(server.url)];
  connection.send(list);
  other.send(alive);
  await other.answers(1);
  await lock.untilWaiting(1);
  const { stopped } = await beginToStop();
  connection.send(list);
  await until("the second to be sent", () => connection.socket.bytesWritten === 2 * list.length);
  // The server has read it before this.
  other.send(alive);
  await other.answers(2);
  await lock.rollback();
  const answers = await connection.answers(2);
  const last = answers.map(({ status, headers }) => `${status} ${headers.get("connection")}`);
  expect(last).toEqual(["200 keep-alive", "200 close"]);
  await connection.untilClosed();
  await stopped;
});

test("It answers one more request on a connection that was idle when it began to stop", async () => {
  await lock.rollback();
  const connection = openRaw(server.url);
  connection.send(list);
  const [before] = await connection.answers(1);
  expect(before?.headers.get("connection")).toBe("keep-alive");
  const { stopped } = await beginToStop();
  connection.send(list);
  const answers = await connection.answers(2);
  const last = answers.map(({ status, headers }) => `${status} ${headers.get("connection")}`);
  expect(last).toEqual(["200 keep-alive", "200 close"]);
  await stopped;
});

test("It is not ready any more", async () => {
  await lock.rollback();
  const ready = request("GET /readyz HTTP/1.1", { host: "x" });
  const connection = openRaw(server.url);
  connection.send(ready);
  await connection.answers(1);
  const stopping = server.stop({ gently: true });
  connection.send(ready);
  const answers = await connection.answers(2);
  expect(answers.map(({ status }) => status)).toEqual([200, 503]);
  await stopping;
});

test("It does not wait forever for clients that keep an idle connection", async () => {
  await lock.rollback();
  const connection = openRaw(server.url);
  connection.send(list);
  await connection.answers(1);
  await server.stop({ gently: true });
  await connection.untilClosed();
});

test("When the time for requests in flight is over, they are refused as unavailable", async () => {
  const connection = openRaw(server.url);
  connection.send(list);
  await lock.untilWaiting(1);
  await server.stop({ gently: true, stopGraceMs: 100 });
  const [answer] = await connection.answers(1);
  const message = "the server is stopping; if this was a change, it may have been made";
  expect([answer?.status, answer?.body]).toEqual([503, { code: "unavailable", message }]);
  await lock.rollback();
});
