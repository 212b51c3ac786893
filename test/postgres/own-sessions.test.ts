import { describe, expect, onTestFinished, test } from "vitest";
import { requireOwnSessions } from "../../src/postgres/pool/own-sessions.ts";
import { databaseOfTests } from "../support/database.ts";
import {
  anyOther,
  carryingMode,
  newest,
  oldest,
  openFakePooler,
  type PoolerKind,
  sessionMode,
  transactionMode,
} from "../support/fake-pooler.ts";
import { openProxy } from "../support/tcp-proxy.ts";
import { addTraffic } from "../support/traffic.ts";

const database = await databaseOfTests();

const openPooler = (kind: PoolerKind) => openFakePooler(database.url, kind);

const check = (url: string, answerWithinMs?: number) => requireOwnSessions({ connectionString: url }, answerWithinMs);

const random: PoolerKind["pick"] = (idle) => idle[Math.floor(Math.random() * idle.length)];

describe("Sessions of its own are found", () => {
  test("on a direct connection, by any number at once", async () => {
    await Promise.all(Array.from({ length: 10 }, () => check(database.url)));
  });

  test("behind a pooler that keeps a session for each connection, also when others use it", async () => {
    const pooler = await openPooler(sessionMode);
    await addTraffic(pooler.url, 2);
    for (let time = 0; time < 3; time += 1) await check(pooler.url);
    await Promise.all([1, 2, 3].map(() => check(pooler.url)));
  });
});

describe("A pooler is found that gives each transaction another session:", () => {
  const idle: [string, PoolerKind][] = [
    ["the one that came back last", { ...transactionMode, pick: newest }],
    ["the one that came back first", { ...transactionMode, pick: oldest }],
    ["one that another client had", { ...transactionMode, pick: anyOther }],
    ["the only one", { ...transactionMode, sessions: 1 }],
    ["a fresh one, which has forgotten everything", { ...transactionMode, resets: true }],
    ["one that has the statements of its client", carryingMode],
    ["the first of those that have its statements", { ...carryingMode, pick: oldest }],
  ];
  test.each(idle)("%s", async (_, kind) => {
    const pooler = await openPooler(kind);
    await expect(check(pooler.url)).rejects.toThrow(/^A connection pooler shares Postgres sessions .+session mode/);
  });

  test.each(idle.filter(([, { sessions }]) => sessions > 1))("%s, also while others use them", async (_, kind) => {
    const pooler = await openPooler({ ...kind, sessions: 8 });
    await addTraffic(pooler.url, 3);
    for (let time = 0; time < 3; time += 1) await expect(check(pooler.url)).rejects.toThrow(/session mode/);
  });

  test("any one, also while others use them", async () => {
    for (const kind of [transactionMode, carryingMode]) {
      const pooler = await openPooler({ ...kind, sessions: 8, pick: random });
      await addTraffic(pooler.url, 3);
      for (let time = 0; time < 5; time += 1) await expect(check(pooler.url)).rejects.toThrow(/session mode/);
    }
  });
});

test("A pooler that gives each connection a session, and does not reset it, is told to", async () => {
  const pooler = await openPooler({ ...sessionMode, resets: false });
  await check(pooler.url);
  await expect(check(pooler.url)).rejects.toThrow(/with its default server_reset_query/);
});

test("One that answers only one connection has too few sessions", async () => {
  const { url } = await openPooler({ ...sessionMode, sessions: 1 });
  await expect(check(url, 300)).rejects.toThrow(/no second one.+DATABASE_POOL_SIZE \+ 5/);
});

test("A server that does not answer at all cannot be reached", async () => {
  const pooler = await openPooler({ ...sessionMode, sessions: 0 });
  const silent = await openProxy(database.url);
  onTestFinished(() => silent.close());
  silent.swallow();
  for (const { url } of [pooler, silent]) {
    await expect(check(url, 300)).rejects.toMatchObject({
      reason: "DATABASE_UNAVAILABLE",
      cause: { message: "no answer within 0.3 seconds" },
    });
  }
});
