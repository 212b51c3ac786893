import { afterEach, describe, expect, test } from "vitest";
import { callOf, openHttp2 } from "../support/http2.ts";
import {
  block,
  call,
  type FrameConnection,
  flags,
  four,
  frame,
  get,
  getFrame,
  openFrames,
  settingsOf,
} from "../support/http2-frames.ts";
import { hold } from "../support/locks.ts";
import { scrape } from "../support/scrape.ts";
import { serverInTest, serveSmallWorld } from "../support/server.ts";
import { until } from "../support/until.ts";

const { server, root: token } = await serveSmallWorld({ metrics: true });
let connection: FrameConnection;

afterEach(async () => {
  connection.close();
  // Whatever happened on one connection, others are served, and nothing of it is left.
  // On a busy machine, a flood can make the server refuse requests for a few seconds, until it has caught up.
  await until(
    "others to be served",
    async () => (await server.call("ListAuthorizations", {}, { token })).status === 200,
  );
  const other = openHttp2(server.url);
  expect((await other.call("ListAuthorizations", token)).status).toBe(200);
  await other.close();
});

/** The error codes of RFC 9113, section 7. */
const codes = { protocol: 1, internal: 2, frameSize: 6, refusedStream: 7, cancel: 8, enhanceYourCalm: 11 };

const codeOf = (payload: Buffer, at = 0) => payload.readUInt32BE(at);

const { endStream, endHeaders } = flags;

/** A list over HTTP/2, as raw frames. */
function listFrames(stream: number): Buffer {
  return Buffer.concat([
    frame("headers", endHeaders, stream, call("ListAuthorizations", token)),
    frame("data", endStream, stream, "{}"),
  ]);
}

describe("On one connection", () => {
  test("100 streams are served at once, and more are refused", async () => {
    const lock = await hold(server.database, "lock table authorizations in access exclusive mode");
    connection = openFrames(server.url);
    for (let n = 0; n < 101; n += 1) connection.send(listFrames(2 * n + 1));
    const refused = await connection.one("reset");
    expect([refused.stream, codeOf(refused.payload)]).toEqual([201, codes.refusedStream]);
    await lock.rollback();
    await until("all answers", () => connection.received().filter(({ type }) => type === 1).length === 100);
  });

  test.each([
    ["has acknowledged that", true],
    ["has not", false],
  ])("headers of 16 KiB in all are served, and more are refused: a client that %s", async (_, acknowledges) => {
    connection = openFrames(server.url);
    await connection.one("settings");
    if (acknowledges) connection.send(frame("settings", flags.ack, 0));
    connection.send(filled(1, 16_384));
    await connection.one("headers", 1);
    connection.send(filled(3, 16_385));
    if (acknowledges) expect(codeOf((await connection.one("reset", 3)).payload)).toBe(codes.enhanceYourCalm);
    else expect(JSON.parse(String((await connection.one("data", 3)).payload))).toEqual(tooLarge);
    connection.send(getFrame(5));
    await connection.one("headers", 5);
  });
  const tooLarge = { code: "resource_exhausted", message: "the headers are too large" };

  /** A request whose headers have that many bytes in all, as RFC 9113 counts them, in two frames. */
  function filled(stream: number, length: number): Buffer {
    const others = [":method", "GET", ":scheme", "http", ":path", "/healthz", ":authority", "x"];
    const rest = length - others.join("").length - 4 * 32 - "x-0x-1".length - 2 * 32;
    const values = ["x".repeat(Math.floor(rest / 2)), "x".repeat(Math.ceil(rest / 2))];
    const more = block(values.map((value, n): [string, string] => [`x-${n}`, value]));
    return Buffer.concat([
      frame("headers", endStream, stream, get("/healthz")),
      frame("continuation", 0, stream, more.subarray(0, 8_000)),
      frame("continuation", endHeaders, stream, more.subarray(8_000)),
    ]);
  }

  test("128 headers are served, and more are refused", async () => {
    connection = openFrames(server.url);
    const many = (stream: number, count: number) => {
      const small = Array.from({ length: count - 4 }, (_, n): [string, string] => [`x-${n}`, ""]);
      return frame("headers", endStream | endHeaders, stream, Buffer.concat([get("/healthz"), block(small)]));
    };
    connection.send(many(1, 128));
    await connection.one("headers", 1);
    connection.send(many(3, 129));
    expect(codeOf((await connection.one("reset", 3)).payload)).toBe(codes.enhanceYourCalm);
    connection.send(getFrame(5));
    await connection.one("headers", 5);
  });
});

describe("A client is cut off", () => {
  test("that opens streams and cancels them at once, over and over (CVE-2023-44487)", async () => {
    // It opens connections slowly after that.
    const own = await serverInTest({ database: server.database });
    connection = openFrames(own.url);
    for (let n = 0; n < 2_000; n += 1) {
      const stream = 2 * n + 1;
      connection.send(listFrames(stream), frame("reset", 0, stream, four(codes.cancel)));
    }
    await connection.untilClosed();
    await until("no statement", async () => (await busy()) === 0);
  });

  test("that continues the headers of a request without end (CVE-2024-27316)", async () => {
    connection = openFrames(server.url);
    connection.send(frame("headers", endStream, 1, get("/healthz")));
    for (let n = 0; n < 1_000; n += 1) connection.send(frame("continuation", 0, 1, block([[`x-${n}`, "x"]])));
    await connection.untilClosed();
  });

  test("that sends too many settings at once", async () => {
    connection = openFrames(server.url);
    const pairs = Array.from({ length: 33 }, (): [number, number] => [3, 100]);
    connection.send(frame("settings", 0, 0, settingsOf(...pairs)));
    await connection.untilClosed();
  });

  test("that sends frames no one may send, and it is counted", async () => {
    const before = await unreadable();
    connection = openFrames(server.url);
    connection.send(frame("data", 0, 0, "on no stream"));
    expect(codeOf((await connection.one("goaway")).payload, 4)).toBe(codes.protocol);
    await connection.untilClosed();
    await until("the count", async () => (await unreadable()) === before + 1);
  });
});

test("Half of a change is not made: a request that is reset in the middle of its body", async () => {
  connection = openFrames(server.url);
  const id = "a1";
  // The server must look up whose it is.
  const unknown = await server.database.token("root");
  const call = callOf("DeleteAuthorization", unknown, { "content-type": "application/proto" });
  const lock = await hold(server.database, "lock table tokens in access exclusive mode");
  const client = openHttp2(server.url);
  const stream = client.session.request(call);
  stream.on("error", () => {});
  // A whole message, as far as it has come.
  stream.write(Buffer.concat([Buffer.from([10, id.length]), Buffer.from(id)]));
  await lock.untilWaiting(1);
  stream.close(codes.cancel);
  await lock.rollback();
  await until("the end of it", async () => (await busy()) === 0);
  const { body } = await server.call("ListAuthorizations", {}, { token });
  expect(body.pagination.totalResult).toBe(6);
  await client.close();
});

/** How many refusals were counted of what was no request. */
async function unreadable(): Promise<number> {
  const { values } = await scrape(server.metricsUrl);
  return [...values].find(([series]) => series.includes('"UNREADABLE"'))?.[1] ?? 0;
}

/** How many sessions of Postgres work for the server. */
async function busy(): Promise<number> {
  const rows = await server.database.query(`
    select from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and backend_type = 'client backend' and state <> 'idle'`);
  return rows.length;
}
