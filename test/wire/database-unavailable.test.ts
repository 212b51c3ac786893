import { afterEach, describe, expect, test } from "vitest";
import { assign } from "../support/assign.ts";
import { smallWorldOfTests } from "../support/database.ts";
import { eventsOf } from "../support/events.ts";
import { hold } from "../support/locks.ts";
import { expectRefusal } from "../support/refusals.ts";
import { type Answer, serveTests } from "../support/server.ts";
import { proxyOfTests } from "../support/tcp-proxy.ts";
import { until } from "../support/until.ts";

const poolSize = 2;
const database = await smallWorldOfTests();
const [token, annsToken] = [await database.token("root"), await database.token("ann")];
const proxy = await proxyOfTests(database.url);
const server = await serveTests({ poolSize, database: { ...database, url: proxy.url } });

afterEach(() => proxy.restore());

const call = (rpc = "ListAuthorizations", body: object = {}, timeoutMs?: number, who = token) =>
  server.call(rpc, body, { token: who, headers: { "connect-timeout-ms": timeoutMs?.toString() } });

const listOfAnn = (timeoutMs?: number) => call("ListAuthorizations", {}, timeoutMs, annsToken);

/** A list and an update. They are of two callers, because one has only half of the connections. */
const listAndUpdate = (timeoutMs?: number, id = "a1") => [
  listOfAnn(timeoutMs),
  call("UpdateAuthorization", { id, roleKeys: [] }, timeoutMs),
];

function expectUnavailable(answer: Answer): void {
  expectRefusal(answer, { status: 503, code: "unavailable", reason: "DATABASE_UNAVAILABLE" });
  expect(answer.body.message).toBe("the database can't be reached; try again");
}

async function expectFullService(): Promise<void> {
  const answers = await Promise.all(Array.from({ length: poolSize * 2 }, () => [call(), listOfAnn()]).flat());
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
}

describe("When Postgres cannot be reached, the answer is DATABASE_UNAVAILABLE", () => {
  test("from every RPC, and all is well without a restart once it can be", async () => {
    await expectFullService();
    await proxy.cut();
    for (let time = 0; time < 3; time += 1) {
      expectUnavailable(await call());
      expectUnavailable(await call("UpdateAuthorization", { id: "a1", roleKeys: [] }));
      expectUnavailable(await call("DeleteAuthorization", { id: "a1" }));
    }
    await proxy.restore();
    await expectFullService();
  });

  test("with the reason in the log and nowhere else", async () => {
    await proxy.cut();
    // It may meet a connection that was there before.
    expectUnavailable(await call());
    const from = server.log.length;
    expectUnavailable(await call());
    expect(server.log.slice(from).filter(({ level }) => level !== 30)).toEqual([
      expect.objectContaining({
        level: 40,
        rpc: "service.authorization.v2.AuthorizationService/ListAuthorizations",
        err: expect.objectContaining({ code: "ECONNREFUSED" }),
      }),
    ]);
  });

  test("also for those that were waiting for Postgres at that moment", async () => {
    const lock = await hold(database, "lock table authorizations in access exclusive mode");
    const waiting = listAndUpdate();
    await lock.untilWaiting(2);
    await proxy.cut();
    for (const answer of await Promise.all(waiting)) expectUnavailable(answer);
    await lock.rollback();
    await proxy.restore();
    await expectFullService();
  });
});

describe("When an operator ends sessions, callers do not notice:", () => {
  test("requests that were waiting in Postgres are done again, once", async () => {
    const { id } = await assign(database);
    const lock = await hold(database, "lock table authorizations in access exclusive mode");
    const waiting = listAndUpdate(undefined, id);
    await lock.untilWaiting(2);
    await database.query(`
      select pg_terminate_backend(pid, 10000) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    await lock.untilWaiting(2);
    await lock.rollback();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200]);
    expect(await eventsOf(database, id)).toHaveLength(2);
  });

  test("idle sessions are replaced", async () => {
    await expectFullService();
    await database.query(`
      select pg_terminate_backend(pid, 10000) from pg_stat_activity
      where datname = current_database() and state = 'idle' and pid <> pg_backend_pid()`);
    await expectFullService();
  });
});

describe("When the network swallows what Postgres answers", () => {
  test("deadlines are kept, and the connections are given up for new ones", async () => {
    await expectFullService();
    proxy.swallow();
    const answers = await Promise.all(Array.from({ length: poolSize * 2 }, () => call("ListAuthorizations", {}, 200)));
    for (const { body } of answers) expect(body.code).toBe("deadline_exceeded");
    // New connections reach Postgres; those that were there before never say anything again, nor do they break.
    await proxy.restore();
    await until("full service", async () => (await call("ListAuthorizations", {}, 1_000)).status === 200);
    await expectFullService();
  });

  test("also in the middle of a statement, which is cancelled by another way", async () => {
    const lock = await hold(database, "lock table authorizations in access exclusive mode");
    const waiting = listAndUpdate(700);
    await lock.untilWaiting(2);
    proxy.swallow();
    await proxy.restore();
    for (const { body } of await Promise.all(waiting)) expect(body.code).toBe("deadline_exceeded");
    await lock.untilWaiting(0);
    await lock.rollback();
    await until("full service", async () => (await call("ListAuthorizations", {}, 1_000)).status === 200);
    await expectFullService();
  });
});
