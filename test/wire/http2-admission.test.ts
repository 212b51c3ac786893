import { afterEach, beforeEach, expect, test } from "vitest";
import { callOf, type Http2Client, openHttp2 } from "../support/http2.ts";
import { call, flags, four, frame, openFrames } from "../support/http2-frames.ts";
import { hold, waitingSessions } from "../support/locks.ts";
import { expectRefusal, overloaded, rateLimited } from "../support/refusals.ts";
import { serverInTest, serveSmallWorld, type TestServer } from "../support/server.ts";
import { until } from "../support/until.ts";

let few: TestServer;
let client: Http2Client;

const { server, root: token } = await serveSmallWorld();

beforeEach(async () => {
  few = await serverInTest({ database: server.database, limits: { maximumInFlight: 4 } });
  client = openHttp2(few.url);
});
afterEach(() => client.close());

test("Streams of one connection count one by one, and a stream that is reset makes room and ends its SQL", async () => {
  const ann = await server.database.token("ann");
  const lock = await hold(server.database, "lock table authorizations in access exclusive mode");
  const streams = [token, token, ann, ann].map((who) => {
    const stream = client.session.request(callOf("ListAuthorizations", who));
    stream.on("error", () => {}).end("{}");
    return stream;
  });
  await lock.untilWaiting(4);
  expectRefusal(await client.call("ListAuthorizations", token), overloaded);
  for (const stream of streams) stream.close(8);
  await until("the end of all statements", async () => (await waitingSessions(server.database)).length === 0);
  const [next] = await lock.holdUp([() => client.call("ListAuthorizations", token)]);
  expect(next.status).toBe(200);
});

test("One caller holds no more than half of them, also over one connection", async () => {
  const lock = await hold(server.database, "lock table authorizations in access exclusive mode");
  const held = [client.call("ListAuthorizations", token), client.call("ListAuthorizations", token)];
  await lock.untilWaiting(2);
  expectRefusal(await client.call("ListAuthorizations", token), rateLimited);
  await lock.rollback();
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200]);
});

test("Requests that are cancelled as soon as they are sent leave nothing behind", async () => {
  const connection = openFrames(few.url);
  const head = call("ListAuthorizations", token);
  for (let stream = 1; stream < 200; stream += 2) {
    const body = stream % 4 === 1 ? [frame("data", flags.endStream, stream, "{}")] : [];
    const reset = frame("reset", 0, stream, four(8));
    connection.send(frame("headers", flags.endHeaders, stream, head), ...body, reset);
  }
  await until("room for all", async () => {
    const answers = await Promise.all([token, token].map((who) => client.call("ListAuthorizations", who)));
    return answers.every(({ status }) => status === 200);
  });
  const lock = await hold(server.database, "lock table authorizations in access exclusive mode");
  const ann = await server.database.token("ann");
  const all = [token, token, ann, ann].map((who) => () => client.call("ListAuthorizations", who));
  expect((await lock.holdUp(all)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  connection.close();
});
