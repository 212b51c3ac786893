import { open, readFile, rm } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { withClient } from "../../test/support/with-client.ts";
import { median } from "../statistics.ts";

/** What a server asks the primary for a snapshot, as src/postgres/replicas/primary-snapshots.ts does. In microseconds. */
export function questionCost(primary: pg.ClientConfig): Promise<number> {
  return costOf(primary, [
    `select pg_current_wal_flush_lsn()::text as flushed, left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) as timeline,
      pg_current_snapshot()::text as snapshot, clock_timestamp()::text as time`,
  ]);
}

/** What a server asks a replica to find an equal snapshot there. In microseconds. */
export function snapshotCost(replica: pg.ClientConfig): Promise<number> {
  return costOf(replica, [
    "select pg_last_wal_replay_lsn()::text as replayed, pg_current_snapshot()::text as snapshot",
    "begin isolation level repeatable read read only",
    "select pg_last_wal_replay_lsn()::text as replayed, pg_current_snapshot()::text as snapshot",
    "commit",
  ]);
}

/** How long the disk of a folder takes to flush a page. In microseconds. */
export async function flushTime(folder: string): Promise<number> {
  const name = path.join(folder, "flushed");
  const file = await open(name, "w");
  const page = Buffer.alloc(8_192, 1);
  const took: number[] = [];
  for (let count = 0; count < 200; count += 1) {
    const started = performance.now();
    await file.write(page);
    await file.datasync();
    took.push((performance.now() - started) * 1_000);
  }
  await file.close();
  await rm(name);
  return median(took);
}

const times = 2_000;

/** The processor time of the connection's process for all of these together. */
function costOf(connection: pg.ClientConfig, statements: readonly string[]): Promise<number> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    const used = async () => Number((await readFile(`/proc/${rows[0]?.pid}/schedstat`, "utf8")).split(" ")[0]) / 1_000;
    const ask = async () => {
      for (const [index, text] of statements.entries()) await client.query({ name: `asked ${index}`, text });
    };
    for (let count = 0; count < 100; count += 1) await ask();
    const before = await used();
    for (let count = 0; count < times; count += 1) await ask();
    return ((await used()) - before) / times;
  });
}
