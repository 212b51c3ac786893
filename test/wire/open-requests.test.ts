import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { post } from "../support/call-headers.ts";
import { frame as envelope } from "../support/frames.ts";
import { callOf, openHttp2 } from "../support/http2.ts";
import { frame, frameTypes, getFrame, openFrames, preface, settingsOf } from "../support/http2-frames.ts";
import { hold } from "../support/locks.ts";
import { callText, openRaw, type RawConnection, request } from "../support/raw-http.ts";
import { expectRefusal, rateLimited } from "../support/refusals.ts";
import { serverInTest, serveSmallWorld, type TestServer } from "../support/server.ts";
import { until } from "../support/until.ts";

/** How many requests of an address may be open without a valid caller, however few may be in flight. */
const mostOfAddress = 50;

let few: TestServer;

const { server, root: token } = await serveSmallWorld();

beforeEach(async () => {
  few = await serverInTest({ database: server.database, limits: { maximumInFlight: 4 } });
});

/** Whether a new connection is served. */
const isServed = () =>
  fetch(`${few.url}/healthz`)
    .then(({ ok }) => ok)
    .catch(() => false);

describe("Responses of 401 that no one reads", () => {
  /** A connection whose client reads no bodies, with so many refused requests. */
  async function leaveUnread(count: number) {
    const client = openHttp2(few.url, { settings: { initialWindowSize: 0 } });
    const streams = Array.from({ length: count }, () => {
      const stream = client.session.request(callOf("ListAuthorizations", "unknown"));
      const status = new Promise<number>((resolve, reject) => {
        stream.on("response", (headers) => resolve(Number(headers[":status"])));
        stream.on("error", reject);
      });
      stream.end("{}");
      return { stream, status };
    });
    const statuses = await Promise.all(streams.map(({ status }) => status));
    // With the fewest in flight, some are refused before their token is looked at. Those count in the same way.
    expect(statuses.every((status) => status === 401 || status === 503)).toBe(true);
    return { client, streams: streams.map(({ stream }) => stream) };
  }

  test("take no place of a valid caller", async () => {
    const { client } = await leaveUnread(mostOfAddress - 1);
    for (let time = 0; time < 10; time += 1) {
      expect((await few.call("ListAuthorizations", {}, { token })).status).toBe(200);
    }
    client.session.destroy();
  });

  test("of an address are 50: then its streams are REFUSED_STREAM, until some end", async () => {
    const { client, streams } = await leaveUnread(mostOfAddress);
    for (let time = 0; time < 3; time += 1) {
      const refused = client.call("ListAuthorizations", token);
      await expect(refused).rejects.toThrow("NGHTTP2_REFUSED_STREAM");
    }
    for (const stream of streams.slice(0, 10)) stream.close(8);
    await until("room again", isServed);
    const other = openHttp2(few.url);
    expect((await other.call("ListAuthorizations", token)).status).toBe(200);
    await other.close();
    client.session.destroy();
  });

  test("of an address are 50: then a session that continues is ended, and the address gets new ones slowly", async () => {
    const { client } = await leaveUnread(mostOfAddress);
    await until("the end of the session", async () => {
      const more = Array.from({ length: 40 }, () => client.call("ListAuthorizations", token));
      await Promise.allSettled(more);
      return client.session.closed;
    });
    client.session.destroy();
    await until("room again", isServed);
    // One connection a second.
    const served = await Promise.all(Array.from({ length: 10 }, isServed));
    expect(served.filter((isOne) => isOne).length).toBeLessThan(10);
  });

  test("of an address are 50: then its HTTP/1.1 connections are closed when they send a request", async () => {
    const connection = openRaw(few.url);
    const get = request("GET /healthz HTTP/1.1", { host: "x" });
    connection.send(get);
    await connection.answers(1);
    const { client } = await leaveUnread(mostOfAddress);
    connection.send(get);
    await connection.untilClosed();
    expect(await connection.answers(1)).toHaveLength(1);
    client.session.destroy();
    await until("room again", isServed);
  });

  test("of an address are 50: then its new connections are closed unread", async () => {
    const { client } = await leaveUnread(mostOfAddress);
    await openRaw(few.url).untilClosed();
    client.session.destroy();
    await until("room again", isServed);
  });
});

test.each([
  ["closed", ""],
  // Settings belong to no stream.
  ["broken", frame("settings", 0, 1, settingsOf([4, 0]))],
])("A connection that is %s leaves nothing in memory, although no one has read its responses", async (_, last) => {
  const streams: WeakRef<object>[] = [];
  const note = (message: unknown) => void streams.push(new WeakRef((message as { stream: object }).stream));
  subscribe("http2.server.stream.created", note);
  const ids = Array.from({ length: mostOfAddress - 1 }, (_, index) => 1 + 2 * index);
  const connection = openFrames(few.url, false);
  connection.send(preface, frame("settings", 0, 0, settingsOf([4, 0])), ...ids.map((id) => getFrame(id, "/unknown")));
  const answered = () => connection.received().filter(({ type }) => type === frameTypes.headers).length;
  await until("the responses", () => answered() === ids.length);
  if (last === "") connection.close();
  else connection.send(last as Buffer);
  await connection.untilClosed();
  await until("the memory to be free", () => {
    collectGarbage();
    return streams.every((stream) => stream.deref() === undefined);
  });
  unsubscribe("http2.server.stream.created", note);
  expect(streams).toHaveLength(ids.length);
});

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

describe("Requests that are sent on one connection without waiting for responses", () => {
  const call = (id: string, rpc?: string) => callText(token, { ...(rpc && { rpc }), headers: { "x-request-id": id } });
  const ids = async (connection: RawConnection, count: number) =>
    (await connection.answers(count)).map(({ headers }) => headers.get("x-request-id"));

  test("are answered one at a time, in their order", async () => {
    const lock = await hold(server.database, "lock table authorizations in access exclusive mode");
    const connection = openRaw(server.url);
    const names = ["slow", "quick", "last"];
    connection.send(names.map((name) => call(name, name === "slow" ? "ListAuthorizations" : "NoSuchThing")).join(""));
    await lock.untilWaiting(1);
    // Whoever comes after them would find the quick ones answered.
    expect((await server.call("NoSuchThing", {}, { token })).status).toBe(404);
    await lock.rollback();
    expect(await ids(connection, 3)).toEqual(names);
    const isOne = (id: unknown) => names.includes(id as string);
    const answered = () => server.log.map(({ requestId }) => requestId).filter(isOne);
    await until("their lines", () => answered().length === 3);
    expect(answered()).toEqual(names);
    connection.close();
  });

  test("may be 33: one is worked on, and 32 wait", async () => {
    const lock = await hold(server.database, "lock table authorizations in access exclusive mode");
    const connection = openRaw(server.url);
    const names = Array.from({ length: 33 }, (_, index) => `request-${index}`);
    connection.send(names.map((name) => call(name)).join(""));
    await lock.untilWaiting(1);
    await lock.rollback();
    expect(await ids(connection, 33)).toEqual(names);
    connection.close();
  });

  test("close it when there are more, and end what is worked on", async () => {
    const lock = await hold(server.database, "lock table authorizations in access exclusive mode");
    const connection = openRaw(server.url);
    connection.send(call("first"));
    await lock.untilWaiting(1);
    connection.send(call("more").repeat(33));
    await connection.untilClosed();
    await lock.untilWaiting(0);
  });

  test("that wait count as open until the connection is closed", async () => {
    const lock = await hold(server.database, "lock table authorizations in access exclusive mode");
    const connections = [openRaw(few.url), openRaw(few.url)];
    for (const connection of connections) connection.send(call("first"));
    // These have a caller. The address has the 50 others.
    await lock.untilWaiting(2);
    for (const connection of connections) connection.send(call("more").repeat(mostOfAddress / 2));
    await until("no more room", async () => !(await isServed()));
    for (const connection of connections) connection.close();
    await until("room again", isServed);
  });
});

test("While one caller sends many large bodies, packed, one of somebody else doesn't wait for all of them", async () => {
  const body = gzipSync(`{"filters":[${"{},".repeat(100_000)}{}]}`);
  const other = await server.database.token("ann");
  const ended: string[] = [];
  const send = async (who: string, theirs: string) => {
    const options = { token: theirs, headers: { "content-encoding": "gzip" } };
    expect((await server.call("ListAuthorizations", body, options)).status).toBe(400);
    ended.push(who);
  };
  const many = Array.from({ length: 12 }, () => send("many", token));
  await Promise.race(many);
  await Promise.all([...many, send("other", other)]);
  expect(ended.at(-1)).toBe("many");
});

test("A stream that waits for its first message doesn't keep large bodies of others waiting", async () => {
  const other = await server.database.token("ann");
  const large = gzipSync(`{"filters":[${"{},".repeat(100_000)}{}]}`);
  const headers = { "content-encoding": "gzip" };
  const list = () => server.call("ListAuthorizations", large, { token: other, headers });
  const over = new AbortController();
  const lock = await hold(server.database, "lock table events in access exclusive mode");
  const asked = envelope(gzipSync(`{"fromBeginning":true${" ".repeat(100_000)}}`), { flags: 1 });
  const rpc = "authorization.v2.AuthorizationHistoryService/WatchAuthorizations";
  const watch = post(server.url, token, rpc, asked, {
    ...{ contentType: "application/connect+json", headers: { "connect-content-encoding": "gzip" } },
    signal: over.signal,
  }).catch(() => undefined);
  await lock.untilWaiting(1);
  expect((await list()).status).toBe(400);
  over.abort();
  await Promise.all([watch, lock.rollback()]);
});

test("A packed body counts as what it may become, before it is unpacked", async () => {
  const small = await serverInTest({ database: server.database, limits: { maximumRequestBytes: 100_000 } });
  const packed = gzipSync(`{}${" ".repeat(90_000)}`);
  // By the format, each of its bytes may become 1,032.
  expect(packed.byteLength).toBeGreaterThan(100);
  expect(packed.byteLength).toBeLessThan(1_000);
  const encodings = { "content-encoding": "gzip", "accept-encoding": "identity" };
  const length = { "content-length": String(packed.byteLength) };
  const head = callText(token, { sent: "", headers: { ...encodings, ...length } });
  const nine = Array.from({ length: 9 }, () => {
    const connection = openRaw(small.url);
    connection.send(Buffer.concat([Buffer.from(head), packed.subarray(0, -1)]));
    return connection;
  });
  // All but their last byte is there. Whichever comes last is one too many.
  const { refused, answer } = await Promise.race(
    nine.map(async (connection) => ({ refused: connection, answer: (await connection.answers(1))[0] })),
  );
  expectRefusal(answer as never, rateLimited);
  for (const connection of nine) {
    if (connection !== refused) {
      connection.send(packed.subarray(-1));
      expect((await connection.answers(1))[0]?.status).toBe(200);
    }
    connection.close();
  }
  const again = await small.call("ListAuthorizations", packed, { token, headers: { "content-encoding": "gzip" } });
  expect(again.status).toBe(200);
});
