import { afterAll, beforeAll, expect, test } from "vitest";
import { expectError } from "../support/connect-errors.ts";
import { hold } from "../support/locks.ts";
import { expectRefusal } from "../support/refusals.ts";
import { type Answer, startTestServer, type TestServer } from "../support/server.ts";
import { until } from "../support/until.ts";
import { loadSmallWorld } from "../support/world.ts";

let server: TestServer;
let token: string;

beforeAll(async () => {
  server = await startTestServer({ poolSize: 1 });
  await loadSmallWorld(server.database);
  token = await server.database.token("root");
});
afterAll(() => server.stop());

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
    expectRefusal(answer, { status: 429, code: "resource_exhausted", reason: "OVERLOADED" });
    expect(answer.headers.get("retry-after")).toBe("1");
  }
  expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
  await lock.rollback();
  expect((await first).status).toBe(200);
  expect((await Promise.all(others)).filter((status) => status === 200)).toHaveLength(20);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
});

test("Those that gave up waiting make room for others", async () => {
  const lock = await hold(server.database, "lock table authorizations in access exclusive mode");
  const first = call();
  await lock.untilWaiting(1);
  const impatient = await Promise.all(Array.from({ length: 20 }, () => call(300)));
  for (const answer of impatient) expectError(answer, 504, "deadline_exceeded");
  expectError(await call(300), 504, "deadline_exceeded");
  await lock.rollback();
  expect((await first).status).toBe(200);
});
