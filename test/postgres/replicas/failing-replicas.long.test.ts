import { setTimeout as sleep } from "node:timers/promises";
import sql from "sql-template-tag";
import { beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../../src/postgres/pool/database.ts";
import { openFakePooler, transactionMode } from "../../support/fake-pooler.ts";
import { replicatedOfTests, type TestReplica, untilLeftOut } from "../../support/replicated.ts";
import { openProxy } from "../../support/tcp-proxy.ts";
import { until } from "../../support/until.ts";

// A conflict with recovery ends statements at once.
const world = await replicatedOfTests({ settings: { max_standby_streaming_delay: "0" } });
const one = world.replicas[0] as TestReplica;
const { signal } = new AbortController();
await world.primary.database.query("create table notes (id integer primary key)");
const database = world.open();
beforeEach(() => world.untilUsed(database));

const count = async (on: Database = database) =>
  (await on.query<{ count: number }>(sql`select count(*)::integer as count from notes`, signal))[0]?.count;
const write = () =>
  database.transaction(signal, ({ query }) => query(sql`insert into notes select coalesce(max(id), 0) + 1 from notes`));

/** Writes and reads until there is a reason to stop. No read may fail, or miss a write. */
async function workUntil(isOver: () => boolean): Promise<void> {
  await until("the end of the work", async () => {
    const before = (await count()) ?? 0;
    await write();
    const reads = await Promise.all(Array.from({ length: 8 }, () => count()));
    expect(reads).toEqual(Array(8).fill(before + 1));
    return isOver();
  });
}

const isLeftOut = (index: number) => () => database.replicas()[index]?.leftOut !== undefined;
const isUsed = (index: number) => () => database.replicas()[index]?.leftOut === undefined;

describe("No read fails or is stale while a replica", () => {
  test("is killed and comes back", async () => {
    const killed = one.kill();
    await workUntil(isLeftOut(0));
    await killed;
    await untilLeftOut(database, 0, "unreachable");
    await one.start();
    await workUntil(isUsed(0));
  });

  test("is paused and goes on", async () => {
    const goOn = await one.pause();
    await workUntil(isLeftOut(0));
    expect(database.replicas()[0]?.leftOut).toBe("unreachable");
    goOn();
    await workUntil(isUsed(0));
  });

  test("is cut off from the server and can be reached again", async () => {
    await one.network.cut();
    await workUntil(isLeftOut(0));
    await one.network.restore();
    await workUntil(isUsed(0));
  });

  test("is behind a network that swallows everything, also in the middle of a read", async () => {
    const sleeping = sql`select 1 as done from (select case when pg_is_in_recovery() then pg_sleep(60) end) as slept`;
    const reading = Promise.all([database.query(sleeping, signal), database.query(sleeping, signal)]);
    for (const { query } of world.replicas) {
      await until("the read to run", async () => (await query(selectSleeping)).length === 1);
    }
    for (const { network } of world.replicas) network.swallow();
    expect(await reading).toEqual([[{ done: 1 }], [{ done: 1 }]]);
    for (const { network } of world.replicas) await network.restore();
    for (const { query } of world.replicas) {
      await query(
        "select pg_cancel_backend(pid) from pg_stat_activity where query like '%pg_sleep(60)%' and pid <> pg_backend_pid()",
      );
    }
    await world.untilUsed(database);
  });

  test("is behind a network that also swallows new connections", async () => {
    one.network.swallow();
    await workUntil(isLeftOut(0));
    // Each trial begins with a new connection now.
    await sleep(3_000);
    await one.network.restore();
    await workUntil(isUsed(0));
  });

  test("ends all of its sessions", async () => {
    await one.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'authorization-service'",
    );
    await workUntil(() => true);
  });
});

const selectSleeping =
  "select from pg_stat_activity where state = 'active' and query like '%pg_sleep(60)%' and pid <> pg_backend_pid()";

test("a read that conflicts with recovery is repeated on the primary", async () => {
  const conflicting = world.open({ urls: [one.url] });
  await world.untilUsed(conflicting);
  await write();
  const read = () =>
    conflicting.query<{ count: number }>(
      sql`select count(*)::integer as count from notes, (select case when pg_is_in_recovery() then pg_sleep(60) end) as slept`,
      signal,
    );
  let reading = read();
  await until("the read to run there", async () => {
    // The primary answers at once if the replica is not used at the moment.
    if (await Promise.race([reading.then(() => true), sleep(50, false)])) reading = read();
    return (await one.query(selectSleeping)).length === 1;
  });
  await world.primary.database.query("delete from notes");
  await world.primary.database.query("vacuum notes");
  expect(await reading).toEqual([{ count: 0 }]);
  expect(conflicting.replicas()[0]?.returned.get("failed")).toBe(1);
});

test("a read that is given up is cancelled on its replica, and its connection is used again", async () => {
  const reason = new Error("enough");
  const aborting = new AbortController();
  const own = world.open({ urls: [one.url], poolSize: 1 });
  await world.untilUsed(own);
  let reading: Promise<unknown> = Promise.resolve();
  await until("a read to run there", async () => {
    // The primary answers at once if the replica is not used at the moment.
    const sleeping = sql`select case when pg_is_in_recovery() then pg_sleep(60) end`;
    const isOver = await Promise.race([reading.then(() => true), sleep(50, false)]);
    if (isOver) reading = own.query(sleeping, aborting.signal);
    reading.catch(() => {});
    return (await one.query(selectSleeping)).length === 1;
  });
  aborting.abort(reason);
  await expect(reading).rejects.toBe(reason);
  expect(await one.query(selectSleeping)).toEqual([]);
  const before = own.replicas()[0]?.answered ?? 0;
  await until("a read that the replica answers", async () => {
    expect(await count(own)).toBeGreaterThanOrEqual(0);
    return (own.replicas()[0]?.answered ?? 0) > before;
  });
});

test("without a primary, reads are DATABASE_UNAVAILABLE, whatever the replicas know", async () => {
  const way = await openProxy(world.primary.database.url);
  const own = world.open({ primaryUrl: way.url });
  await world.untilUsed(own);
  await count(own);
  await way.cut();
  await expect(count(own)).rejects.toMatchObject({ reason: "DATABASE_UNAVAILABLE" });
  await way.restore();
  expect(await count(own)).toBeGreaterThanOrEqual(0);
  await world.untilUsed(own);
  await own.close();
  await way.close();
});

describe("A replica is left out", () => {
  test("if it is another database, and reads work all the same", async () => {
    const own = world.open({ urls: [one.url.replace(/\/postgres$/, "/template1")] });
    await untilLeftOut(own, 0, "different");
    expect(await count(own)).toBeGreaterThanOrEqual(0);
  });

  test("if it is the primary", async () => {
    const { url } = world.primary.database;
    const way = await openProxy(url);
    await untilLeftOut(world.open({ urls: [way.url] }), 0, "promoted");
    await untilLeftOut(world.open({ urls: [url] }), 0, "primary");
    await way.close();
  });

  test("if a pooler shares its sessions", async () => {
    const pooler = await openFakePooler(one.url, transactionMode);
    const own = world.open({ urls: [pooler.url] });
    await untilLeftOut(own, 0, "unreachable");
    expect(await count(own)).toBeGreaterThanOrEqual(0);
    await own.close();
  });
});
