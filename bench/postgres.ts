import { totalmem } from "node:os";
import path from "node:path";
import type pg from "pg";
import { openEmbeddedPostgres } from "../src/embedded/embedded-postgres.ts";
import { withClient } from "../test/support/with-client.ts";

export type BenchPostgres = {
  readonly version: string;
  readonly settings: Readonly<Record<string, string>>;
  connectionTo(database: string): pg.ClientConfig;
  urlOf(database: string): string;
  stop(): Promise<void>;
};

export type BenchFolder = {
  readonly dataDirectory?: string;
  /** Instead of the ones of a machine that serves people. */
  readonly settings?: Readonly<Record<string, string>>;
};

/** Starts the PostgreSQL that comes along, on a folder that is kept, set up as a machine that serves people would be. */
export async function openBenchPostgres(rows: number, folder: BenchFolder = {}): Promise<BenchPostgres> {
  const { dataDirectory = path.join(import.meta.dirname, `../.data/bench-${rows}`) } = folder;
  const settings = { ...productionSettings(), ...folder.settings };
  const postgres = await openEmbeddedPostgres({
    dataDirectory,
    owner: { kind: "server" },
    settings,
    say: (text) => console.log(text),
  });
  const { socketDirectory: host, port } = postgres;
  const connectionTo = (database: string) => ({ host, port, user: "postgres", database });
  const version = await withClient(connectionTo("postgres"), async (client) => {
    const { rows } = await client.query<{ server_version: string }>("show server_version");
    return rows[0]?.server_version ?? "unknown";
  });
  return {
    version,
    settings,
    connectionTo,
    urlOf: (database) => `postgresql:///${database}?host=${encodeURIComponent(host)}&port=${port}&user=postgres`,
    stop: postgres.stop,
  };
}

/** The same for every side, and durable: a commit that was answered is on the disk. */
function productionSettings(): Record<string, string> {
  const megabytes = totalmem() / 1_048_576;
  return {
    shared_buffers: `${Math.round(Math.min(4_096, megabytes / 4))}MB`,
    effective_cache_size: `${Math.round(megabytes / 2)}MB`,
    work_mem: "16MB",
    maintenance_work_mem: "512MB",
    random_page_cost: "1.1",
    max_wal_size: "8GB",
    checkpoint_timeout: "15min",
    checkpoint_completion_target: "0.9",
    fsync: "on",
    synchronous_commit: "on",
    full_page_writes: "on",
  };
}
