import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { ReplicatedDatabase } from "../../../src/postgres/replicas/replicated-database.ts";
import { type Replicated, startReplicated, type TestReplica } from "../../support/replicated.ts";
import { until } from "../../support/until.ts";

let world: Replicated;
let replica: TestReplica;
let database: ReplicatedDatabase;
const { signal } = new AbortController();

beforeAll(async () => {
  world = await startReplicated({ count: 1 });
  replica = world.replicas[0] as TestReplica;
  database = world.open();
});
afterAll(() => world.stop());

/** Halts the processes of the primary that would flush the rest sooner or later. */
async function haltFlushing(): Promise<void> {
  const pids = await world.primary.database.query<{ pid: number }>(
    "select pid from pg_stat_activity where backend_type in ('walwriter', 'background writer', 'checkpointer')",
  );
  for (const { pid } of pids) process.kill(pid, "SIGSTOP");
  onTestFinished(() => {
    for (const { pid } of pids) process.kill(pid, "SIGCONT");
  });
}

/** Writes a record of which the primary flushes only the pages that are full. Resolves to the position it flushed. */
async function flushHalf(): Promise<string> {
  const [before] = await world.primary.database.query<{ position: string }>(
    "select pg_logical_emit_message(false, 'test', repeat('x', 1000000))::text as position",
  );
  const isHalf = `select pg_current_wal_flush_lsn()::text as flushed,
    pg_current_wal_flush_lsn() > $1::pg_lsn - 100000 and pg_current_wal_flush_lsn() < $1::pg_lsn as half`;
  return until("half of the record to be flushed", async () => {
    const [row] = await world.primary.database.query<{ flushed: string; half: boolean }>(isHalf, [before?.position]);
    return row?.half && row.flushed;
  });
}

test("a replica is used though the primary has flushed only a part of a record, and nothing else happens there", async () => {
  await world.untilUsed(database);
  const flushed = await flushHalf();
  await haltFlushing();
  await until("the replica to have received that part", async () => {
    const [row] = await replica.query<{ received: boolean; replayed: boolean }>(
      `select pg_last_wal_receive_lsn() >= $1::pg_lsn as received, pg_last_wal_replay_lsn() >= $1::pg_lsn as replayed`,
      [flushed],
    );
    expect(row?.replayed, "it can't replay half a record").toBe(false);
    return row?.received;
  });
  const answered = () => database.replicas()[0]?.answered ?? 0;
  const before = answered();
  await until("a read that the replica answers", async () => {
    await database.query(sql`select`, signal);
    return answered() > before;
  });
});

test("a replica that doesn't replay is no reason to write on the primary again and again", async () => {
  await world.untilUsed(database);
  await replica.pauseReplay();
  onTestFinished(async () => {
    await replica.query("select pg_wal_replay_resume()");
  });
  await database.transaction(signal, ({ query }) => query(sql`select pg_current_xact_id()`));
  await until("the replica to be left out", async () => {
    await database.query(sql`select`, signal);
    return database.replicas()[0]?.leftOut === "behind";
  });
  const inserted = async () =>
    (
      await world.primary.database.query<{ position: string }>("select pg_current_wal_insert_lsn()::text as position")
    )[0]?.position;
  await haltFlushing();
  const before = await inserted();
  for (let number = 1; number <= 30; number += 1) await database.query(sql`select`, signal);
  const lag = database.replicas()[0]?.lagSeconds ?? 0;
  await until("more trials", () => (database.replicas()[0]?.lagSeconds ?? 0) > lag + 1);
  expect(await inserted()).toBe(before);
});
