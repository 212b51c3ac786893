import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { post } from "../support/call-headers.ts";
import { expectError } from "../support/connect-errors.ts";
import { hold } from "../support/locks.ts";
import { callText, openRaw } from "../support/raw-http.ts";
import { expectRefusal, overloaded, rateLimited } from "../support/refusals.ts";
import { type Answer, serverInTest, serveSmallWorld } from "../support/server.ts";
import { until } from "../support/until.ts";

const { server, root: token } = await serveSmallWorld({ poolSize: 1 });

const call = (timeoutMs = 20_000) =>
  server.call("ListAuthorizations", {}, { token, headers: { "connect-timeout-ms": String(timeoutMs) } });

test("When too many wait for Postgres, the next are OVERLOADED with Retry-After, and the others are served", async () => {
  const lock = await hold(server.database, "lock table authorizations in access exclusive mode");
  const first = call();
  await lock.untilWaiting(1);
  const refused: Answer[] = [];
  const others = Array.from({ length: 60 }, async () => {
    const answer = await call();
    if (answer.status !== 200) refused.push(answer);
    return answer.status;
  });
  // 20 may wait for each connection, and they are answered only when the lock is gone.
  await until("the answers to the rest", () => refused.length >= 40);
  for (const answer of refused) {
    expectRefusal(answer, overloaded);
    expect(answer.headers.get("retry-after")).toBe("1");
  }
  await lock.rollback();
  expect((await first).status).toBe(200);
  expect((await Promise.all(others)).filter((status) => status === 200)).toHaveLength(20);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
});

test("Those that gave up waiting make room for others", async () => {
  const lock = await hold(server.database, "lock table authorizations in access exclusive mode");
  const first = call();
  await lock.untilWaiting(1);
  const impatient = await Promise.all(Array.from({ length: 20 }, () => call(1_500)));
  for (const answer of impatient) expectError(answer, 504, "deadline_exceeded");
  expectError(await call(1_500), 504, "deadline_exceeded");
  await lock.rollback();
  expect((await first).status).toBe(200);
});

test("What is over the bound of requests in flight is refused before its credentials are looked at", async () => {
  const few = await serverInTest({ database: server.database, limits: { maximumInFlight: 2 } });
  const annsToken = await server.database.token("ann");
  const lock = await hold(server.database, "lock table tokens in access exclusive mode");
  const list = (who = token) => few.call("ListAuthorizations", {}, { token: who });
  const admitted = [list(), list(annsToken)];
  await lock.untilWaiting(2);
  for (const answer of [await list(), await few.call("NoSuchThing", {}), await few.callDirectory("ApplyChanges", {})]) {
    if (answer.status === 404) continue;
    expectRefusal(answer, overloaded);
    expect(answer.headers.get("retry-after")).toBe("1");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  }
  expect((await fetch(`${few.url}/healthz`)).status).toBe(200);
  await lock.rollback();
  expect((await Promise.all(admitted)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await list()).status).toBe(200);
});

test("One caller holds no more than half of the requests in flight, even with bodies that never arrive", async () => {
  const few = await serverInTest({ database: server.database, limits: { maximumInFlight: 4 } });
  const annsToken = await server.database.token("ann");
  const half = callText(annsToken, { sent: "{" });
  const waiting = [openRaw(few.url), openRaw(few.url)];
  const lock = await hold(server.database, "lock table tokens in access exclusive mode");
  for (const connection of waiting) connection.send(half);
  // One looks the caller up, for both.
  await lock.untilWaiting(1);
  await lock.rollback();
  const list = (who: string) => few.call("ListAuthorizations", {}, { token: who });
  // Whoever comes after them finds them let in.
  expect((await list(token)).status).toBe(200);
  expectRefusal(await list(annsToken), rateLimited);
  expect((await list(token)).status).toBe(200);
  for (const connection of waiting) connection.send("}");
  for (const connection of waiting) expect((await connection.answers(1))[0]?.status).toBe(200);
  for (const connection of waiting) connection.close();
  expect((await list(annsToken)).status).toBe(200);
});

test("A body that does not arrive takes up no room after its deadline", async () => {
  const few = await serverInTest({ database: server.database, limits: { maximumInFlight: 4 } });
  // So both find a connection to Postgres, and don't wait while it opens.
  await Promise.all([0, 1].map(() => few.call("ListAuthorizations", {}, { token })));
  // A request is refused as overload if an eighth of its time passes in the queue for Postgres.
  const half = callText(token, { sent: "{", headers: { "connect-timeout-ms": "1000" } });
  const late = [openRaw(few.url), openRaw(few.url)];
  for (const connection of late) connection.send(half);
  for (const connection of late) expect((await connection.answers(1))[0]?.status).toBe(504);
  expect((await few.call("ListAuthorizations", {}, { token })).status).toBe(200);
  for (const connection of late) connection.close();
});

test("Bodies under way are held up to 16 times MAX_REQUEST_BYTES, half of that for one caller", async () => {
  const size = 1_000;
  const small = await serverInTest({ database: server.database, limits: { maximumRequestBytes: size } });
  const tokens = { ann: await server.database.token("ann"), bob: await server.database.token("bob"), root: token };
  const body = `{}${" ".repeat(size - 2)}`;
  const list = (who: keyof typeof tokens) => small.call("ListAuthorizations", body, { token: tokens[who] });
  const holding: ReturnType<typeof openRaw>[] = [];
  for (const who of ["ann", "bob"] as const) {
    const nine = Array.from({ length: 9 }, () => {
      const connection = openRaw(small.url);
      connection.send(callText(tokens[who], { body, sent: body.slice(0, -1) }));
      return connection;
    });
    // All but their last byte is there. Whichever comes last is one too many.
    const refused = await Promise.race(
      nine.map(async (connection) => ({ connection, answer: (await connection.answers(1))[0] })),
    );
    expectRefusal(refused.answer as Answer, rateLimited);
    refused.connection.close();
    holding.push(...nine.filter((connection) => connection !== refused.connection));
  }
  const refused = await list("root");
  expectRefusal(refused, overloaded);
  expect(refused.headers.get("retry-after")).toBe("1");
  expect((await small.call("ListAuthorizations", {}, { token })).status).toBe(200);

  for (const connection of holding) {
    connection.send(" ");
    expect((await connection.answers(1))[0]?.status).toBe(200);
    connection.close();
  }
  for (const who of ["ann", "bob", "root"] as const) expect((await list(who)).status).toBe(200);
});

test("A web page can read that it was refused", async () => {
  const origin = "https://console.example";
  const limits = { maximumInFlight: 1 };
  const few = await serverInTest({ database: server.database, limits, corsOrigins: [origin] });
  const lock = await hold(server.database, "lock table tokens in access exclusive mode");
  const admitted = few.call("ListAuthorizations", {}, { token });
  await lock.untilWaiting(1);
  const { headers, status } = await few.call("ListAuthorizations", {}, { headers: { origin } });
  await lock.rollback();
  expect([status, headers.get("access-control-allow-origin")]).toEqual([503, origin]);
  expect((await admitted).status).toBe(200);
});

test("A client that goes away makes room", async () => {
  const few = await serverInTest({ database: server.database, limits: { maximumInFlight: 1 } });
  const lock = await hold(server.database, "lock table tokens in access exclusive mode");
  const leaving = new AbortController();
  const left = post(few.url, token, "ListAuthorizations", {}, { signal: leaving.signal }).catch(() => "left");
  await lock.untilWaiting(1);
  leaving.abort();
  expect(await left).toBe("left");
  await lock.rollback();
  await until("room", async () => (await few.call("ListAuthorizations", {}, { token })).status === 200);
});

test("While the first in the queue has waited for an eighth of the default time, others are refused at once", async () => {
  const one = await serverInTest({ database: server.database, poolSize: 1, limits: { defaultTimeoutMs: 2_000 } });
  const lock = await hold(server.database, "lock table authorizations in access exclusive mode");
  const list = () => one.call("ListAuthorizations", {}, { token, headers: { "connect-timeout-ms": "30000" } });
  const first = list();
  await lock.untilWaiting(1);
  const others: Promise<Answer>[] = [];
  const isRefused = async () => {
    const call = list();
    others.push(call);
    const answer = await Promise.race([call, sleep(100, undefined)]);
    return answer?.status === 503;
  };
  await until("a refusal", isRefused);
  await lock.rollback();
  expect((await first).status).toBe(200);
  const statuses = (await Promise.all(others)).map(({ status }) => status);
  expect([statuses[0], statuses.at(-1)]).toEqual([200, 503]);
  expect((await list()).status).toBe(200);
});
