import { once } from "node:events";
import { beforeEach, expect, test, vi } from "vitest";
import { callOf, openHttp2 } from "../support/http2.ts";
import { type FrameConnection, flags, four, frame, get, openFrames } from "../support/http2-frames.ts";
import { hold } from "../support/locks.ts";
import { openRaw, request } from "../support/raw-http.ts";
import { serverInTest, serveSmallWorld, type TestServer } from "../support/server.ts";
import { until } from "../support/until.ts";

const { server, root: token } = await serveSmallWorld();

let own: TestServer;
beforeEach(async () => {
  own = await serverInTest({ database: server.database });
});

const health = request("GET /healthz HTTP/1.1", { host: "x" });

/** How many of ten new connections are served. */
async function served(): Promise<number> {
  const connections = Array.from({ length: 10 }, () => openRaw(own.url));
  const answers = connections.map(async ({ socket, send }) => {
    send(health);
    const [answer] = await Promise.race(["data", "end", "close"].map((event) => once(socket, event)));
    socket.destroy();
    return Buffer.isBuffer(answer);
  });
  return (await Promise.all(answers)).filter((isAnswered) => isAnswered).length;
}

/** Opens 150 streams and cancels each at once, which is fewer than end a connection. */
async function cancel(head: Buffer, code = 8): Promise<FrameConnection> {
  const connection = openFrames(own.url);
  const streams = Array.from({ length: 150 }, (_, index) => 1 + 2 * index);
  connection.send(
    ...streams.flatMap((stream) => [
      frame("headers", flags.endHeaders, stream, head),
      frame("reset", 0, stream, four(code)),
    ]),
    frame("ping", 0, 0, Buffer.alloc(8)),
  );
  await Promise.race([connection.one("ping"), connection.untilClosed()]);
  return connection;
}

test.each([8, 0])(
  "An address that cancels more than 200 streams without a caller loses the connection, and opens new ones slowly: code %i",
  async (code) => {
    await cancel(get("/healthz"), code);
    expect(await served()).toBe(10);
    await (await cancel(get("/healthz"), code)).untilClosed();
    // One connection a second.
    expect(await served()).toBeLessThan(10);
  },
);

test("An address opens connections slowly after it has sent hundreds of requests ahead", async () => {
  expect(await served()).toBe(10);
  for (let time = 0; time < 2; time += 1) {
    const connection = openRaw(own.url);
    connection.send(health.repeat(300));
    await connection.untilClosed();
  }
  await until("to be slowed down", async () => (await served()) < 10);
});

test("An address opens connections slowly after it has sent many requests behind one that ends the connection", async () => {
  const connection = openRaw(own.url);
  connection.send(request("GET /healthz HTTP/1.1", { host: "x\r\nhost: y" }) + health.repeat(300));
  await connection.untilClosed();
  await until("to be slowed down", async () => (await served()) < 10);
});

test("Streams without a caller may end that have lasted for a second", async () => {
  const now = performance.now.bind(performance);
  let later = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + later);
  for (let time = 0; time < 6; time += 1) {
    const { session } = openHttp2(own.url);
    const headers = { ":method": "POST", ":path": "/grpc.health.v1.Health/Watch", "content-type": "application/grpc" };
    const watches = Array.from({ length: 90 }, () => session.request(headers));
    const answered = watches.map((watch) => once(watch, "response"));
    for (const watch of watches) watch.on("error", () => {}).end(Buffer.alloc(5));
    await Promise.all(answered);
    later += 1_000;
    for (const watch of watches) watch.close(8);
    await Promise.all(watches.map((watch) => once(watch, "close")));
    session.destroy();
  }
  expect(await served()).toBe(10);
  clock.mockRestore();
});

test("Callers may cancel what they ask for", async () => {
  expect((await own.call("ListAuthorizations", {}, { token })).status).toBe(200);
  const lock = await hold(server.database, "lock table authorizations in access exclusive mode");
  for (let time = 0; time < 6; time += 1) {
    const { session } = openHttp2(own.url);
    const streams = Array.from({ length: 90 }, () => session.request(callOf("ListAuthorizations", token)));
    for (const stream of streams) stream.on("error", () => {}).end("{}");
    // When this is answered, all before it have arrived.
    await once(session.request({ ":path": "/healthz" }), "response");
    for (const stream of streams) stream.close(8);
    await Promise.all(streams.map((stream) => once(stream, "close")));
    session.destroy();
  }
  await lock.rollback();
  expect(await served()).toBe(10);
});
