import { randomUUID } from "node:crypto";
import { copyFile, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { type EmbeddedPostgres, openEmbeddedPostgres } from "../../src/embedded/embedded-postgres.ts";
import { type Home, openHome } from "../../src/embedded/home.ts";
import { withClient } from "./with-client.ts";

/** A primary on this machine whose files this process can read. */
type CopiedPrimary = {
  readonly connection: pg.ClientConfig;
  /** Its data directory. */
  readonly cluster: string;
};

export type EmbeddedReplica = Awaited<ReturnType<typeof openEmbeddedReplica>>;

type EmbeddedReplicaOptions = {
  readonly primary: CopiedPrimary;
  /** Must not contain a replica yet. */
  readonly dataDirectory: string;
  /** The name of its slot and its application_name. */
  readonly name: string;
  /** How it reaches the primary, if not over its socket: libpq's host and port. */
  readonly via?: { readonly host: string; readonly port: number };
  readonly settings?: Readonly<Record<string, string>>;
};

/** Copies a running primary and starts the copy as its streaming replica: for demos, tests and measurements. */
export async function openEmbeddedReplica(options: EmbeddedReplicaOptions) {
  const { primary, name, settings = {} } = options;
  const home = await openHome(options.dataDirectory);
  await withClient(primary.connection, (client) => copyCluster(client, primary.cluster, home, name));
  // As a command, because a server would start it again whenever a test kills it.
  const startOne = (): Promise<EmbeddedPostgres> =>
    openEmbeddedPostgres({
      dataDirectory: options.dataDirectory,
      owner: { kind: "command", name },
      settings: { ...settings, primary_conninfo: conninfo(options), primary_slot_name: name },
      say: () => {},
    });
  let running = await startOne();
  return {
    socketDirectory: running.socketDirectory,
    port: running.port,
    cluster: home.cluster,
    /** Shuts it down, or waits until it has ended if it was killed. */
    halt: () => running.stop(),
    /** Starts it again after it was halted. */
    async start() {
      running = await startOne();
    },
    /** Stops it and removes its slot, so that the primary doesn't keep its log for it. */
    async stop() {
      await running.stop();
      // If the primary is gone, so is the slot's purpose.
      await withClient(primary.connection, (client) => dropSlot(client, name)).catch(() => {});
    },
  };
}

function conninfo({ primary, via, name }: EmbeddedReplicaOptions): string {
  const { host, port, user } = { ...primary.connection, ...via };
  const quoted = (value: unknown) => `'${String(value).replaceAll(/['\\]/g, "\\$&")}'`;
  return `host=${quoted(host)} port=${port} user=${quoted(user)} application_name=${quoted(name)}`;
}

/** As `pg_basebackup` would, which is not among the binaries. */
async function copyCluster(client: pg.Client, from: string, home: Home, slot: string): Promise<void> {
  const draft = path.join(home.folder, `copy-${randomUUID()}`);
  try {
    // Left by a copy that broke off, or by a replica that was stopped while the primary was away.
    await dropSlot(client, slot);
    // From here on, the primary keeps what the copy will need.
    await client.query("select pg_create_physical_replication_slot($1, true)", [slot]);
    await client.query("select pg_backup_start($1, true)", [slot]);
    await copyFolder(from, draft);
    const { rows } = await client.query<{ label: string }>("select labelfile as label from pg_backup_stop()");
    await writeFile(path.join(draft, "backup_label"), rows[0]?.label ?? "", { mode: 0o600 });
    await writeFile(path.join(draft, "standby.signal"), "", { mode: 0o600 });
    await rename(draft, home.cluster);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function dropSlot(client: pg.Client, slot: string): Promise<void> {
  await client.query("select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = $1", [
    slot,
  ]);
}

/** What belongs to the running primary alone. */
const leftOut = new Set(["postmaster.pid", "postmaster.opts"]);
/** Of these, only the folders themselves are copied. */
const emptied = new Set([
  "pg_wal",
  "pg_replslot",
  "pg_dynshmem",
  "pg_notify",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
]);

async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  if (emptied.has(path.basename(to))) return;
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (leftOut.has(entry.name)) continue;
    if (entry.isDirectory()) await copyFolder(source, target);
    else if (entry.isFile()) await copyFile(source, target).catch(ignoreMissing);
  }
}

/** Postgres removes temporary files and dropped tables at any time. */
function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}
