import { beforeEach, describe, expect, test, vi } from "vitest";
import { assign } from "../support/assign.ts";
import { expectError } from "../support/connect-errors.ts";
import { eventsOf } from "../support/events.ts";
import { type HeldTransaction, hold, waitingSessions } from "../support/locks.ts";
import { callText, openRaw } from "../support/raw-http.ts";
import { type Answer, serveSmallWorld } from "../support/server.ts";
import { until } from "../support/until.ts";

const poolSize = 5;
const { server, root: token } = await serveSmallWorld({
  poolSize,
  limits: { defaultTimeoutMs: 2_000, maximumTimeoutMs: 30_000 },
});
await server.database.query(
  "insert into administrators (user_id, roles) select 'ann', roles from administrators where user_id = 'root'",
);
/** Of another one who may do the same: a caller has only half of the connections. */
const othersToken = await server.database.token("ann");

// What goes wrong outside of an answer ends up here.
const complaints = vi.spyOn(console, "error");
beforeEach(() => void complaints.mockClear());

const lockAll = () => hold(server.database, "lock table authorizations in access exclusive mode");

/** What the answers say when the client has set the time, and when it has not. */
const over = { ofClient: "the operation timed out", byDefault: "the deadline has passed" };

const call = (rpc: string, body: object, timeoutMs?: number, who = token) =>
  server.call(rpc, body, { token: who, headers: { "connect-timeout-ms": timeoutMs?.toString() } });

/** As many calls at once as the pool has connections, twice: only a pool that has them all back answers in time. */
async function expectFullService(): Promise<void> {
  const callers = Array.from({ length: poolSize }, () => [token, othersToken]).flat();
  const calls = callers.map((who) => call("ListAuthorizations", {}, 10_000, who));
  for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
  expect(complaints).not.toHaveBeenCalled();
}

/** A cancel ends the statement alone. Closing the connection would end it too, later, and with it the session. */
async function expectAlive(sessions: number[]): Promise<void> {
  const alive = "select from pg_stat_activity where pid = any($1)";
  expect(await server.database.query(alive, [sessions])).toHaveLength(sessions.length);
}

/**
 * The calls must have been waiting in Postgres, and must not wait there any more while the lock is still held. On a busy
 * machine they get more time to come that far.
 *
 * @param message what the answers say
 * @param calls make each call with that much time
 */
async function expectCancelled(
  lock: HeldTransaction,
  message: string,
  ...calls: ((timeoutMs: number) => Promise<Answer>)[]
): Promise<void> {
  try {
    let sessions: number[] = [];
    let answers: Promise<Answer>[] = [];
    for (let timeoutMs = 700; sessions.length < calls.length; timeoutMs *= 2) {
      answers = calls.map((call) => call(timeoutMs));
      await lock.untilWaiting(calls.length, timeoutMs).catch(() => Promise.all(answers));
      sessions = await waitingSessions(server.database);
    }
    expect(sessions).toHaveLength(calls.length);
    for (const answer of await Promise.all(answers)) {
      expectError(answer, 504, "deadline_exceeded", message);
    }
    await lock.untilWaiting(0);
    await expectAlive(sessions);
  } finally {
    await lock.rollback();
  }
  await expectFullService();
}

describe("When the time has passed, the answer is deadline_exceeded and the SQL is cancelled inside Postgres", () => {
  test("in every RPC", async () => {
    const place = { userId: "ann", projectId: "depot", organizationId: "acme" };
    await expectCancelled(
      await lockAll(),
      over.ofClient,
      (timeoutMs) => call("ListAuthorizations", {}, timeoutMs),
      (timeoutMs) => call("UpdateAuthorization", { id: "a1", roleKeys: [] }, timeoutMs),
      (timeoutMs) => call("DeleteAuthorization", { id: "a2" }, timeoutMs),
      (timeoutMs) => call("DeactivateAuthorization", { id: "a3" }, timeoutMs, othersToken),
      (timeoutMs) => call("CreateAuthorization", place, timeoutMs, othersToken),
    );
    expect((await call("ListAuthorizations", {}, 10_000)).body.pagination.totalResult).toBe(6);
  });

  test("while it is found out who asks", async () => {
    const lock = await hold(server.database, "lock table tokens in access exclusive mode");
    await expectCancelled(lock, over.ofClient, (timeoutMs) => call("ListAuthorizations", {}, timeoutMs));
  });

  test("without the header after the default time", async () => {
    await expectCancelled(
      await lockAll(),
      over.byDefault,
      () => call("ListAuthorizations", {}),
      () => call("ListAuthorizations", {}),
    );
  });

  test("and nothing of a change remains", async () => {
    const { id } = await assign(server.database);
    const lock = await hold(server.database, "select from authorizations where id = $1 for update", [id]);
    await expectCancelled(lock, over.ofClient, (timeoutMs) =>
      call("UpdateAuthorization", { id, roleKeys: [] }, timeoutMs),
    );
    expect(await eventsOf(server.database, id)).toHaveLength(1);
    const roles = "select role_key from authorization_roles where authorization_id = $1";
    expect(await server.database.query(roles, [id])).toEqual([{ role_key: "seller" }]);
  });
});

test("A time longer than the default is given in full", async () => {
  const lock = await lockAll();
  const answer = call("ListAuthorizations", {}, 20_000);
  expectError(await call("ListAuthorizations", {}), 504, "deadline_exceeded");
  await lock.untilWaiting(1);
  await lock.rollback();
  expect((await answer).status).toBe(200);
});

test("Whoever waits for a connection is answered in time, and the connection is not lost", async () => {
  const lock = await lockAll();
  const callers = Array.from({ length: poolSize }, (_, index) => (index % 2 === 0 ? token : othersToken));
  const holders = callers.map((who) => call("ListAuthorizations", {}, 20_000, who));
  await lock.untilWaiting(poolSize);
  for (let number = 1; number <= 3; number += 1) {
    const answer = await call("ListAuthorizations", {}, 500);
    expectError(answer, 504, "deadline_exceeded", over.ofClient);
  }
  await lock.untilWaiting(poolSize);
  await lock.rollback();
  for (const { status } of await Promise.all(holders)) expect(status).toBe(200);
  await expectFullService();
});

describe("A body that does not arrive", () => {
  const half = (headers = {}) => callText(token, { body: '{"filters":[]}', sent: '{"filters"', headers });

  test("is waited for until the time has passed", async () => {
    const connection = openRaw(server.url);
    connection.send(half({ "connect-timeout-ms": "200" }));
    const [answer] = await connection.answers(1);
    if (answer !== undefined) expectError(answer, 504, "deadline_exceeded", over.ofClient);
    connection.send(`:[]}${half()}:[]}`);
    const answers = await connection.answers(2);
    expect(answers[1]).toMatchObject({ status: 200, body: { pagination: { appliedLimit: 100 } } });
    connection.close();
    await expectFullService();
  });
});

describe("When the client goes away, the SQL is cancelled", () => {
  const text = (rpc: string) => {
    const body = rpc === "ListAuthorizations" ? "{}" : JSON.stringify({ id: "a1", roleKeys: [] });
    return callText(token, { rpc, body, headers: { "connect-timeout-ms": "20000" } });
  };

  test.each(["ListAuthorizations", "UpdateAuthorization"])("%s", async (rpc) => {
    const lock = await lockAll();
    const connection = openRaw(server.url);
    connection.send(text(rpc));
    await lock.untilWaiting(1);
    const sessions = await waitingSessions(server.database);
    expect(sessions).toHaveLength(1);
    connection.close();
    await lock.untilWaiting(0);
    await expectAlive(sessions);
    await lock.rollback();
    await expectFullService();
  });

  test("also when it breaks off in the middle of its body", async () => {
    const connection = openRaw(server.url);
    connection.send(text("UpdateAuthorization").slice(0, -5));
    await until("the server to see it", async () => (await server.openConnections()) > 0);
    connection.socket.resetAndDestroy();
    await expectFullService();
  });
});
