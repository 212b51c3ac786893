import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type pg from "pg";
import { type EmbeddedReplica, openEmbeddedReplica } from "../../test/support/embedded-replica.ts";
import { withClient } from "../../test/support/with-client.ts";
import { makeEmpty } from "../databases.ts";
import type { BenchPostgres } from "../postgres.ts";

const main = path.join(import.meta.dirname, "../../src/main.ts");

/** How long work took, in seconds. */
export async function timed<T>(work: () => Promise<T>): Promise<{ seconds: number; result: T }> {
  const started = performance.now();
  const result = await work();
  return { seconds: (performance.now() - started) / 1_000, result };
}

/** Runs a command of the service to its end. What it prints goes to a file, if one is given. */
async function runCommand(args: readonly string[], databaseUrl: string, output?: string): Promise<void> {
  const env = { ...process.env, DATABASE_URL: databaseUrl, LOG_LEVEL: "warn" };
  const child = spawn(process.execPath, [main, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stderr.on("data", (text) => {
    said = `${said}${text}`.slice(-2_000);
  });
  if (output === undefined) child.stdout.resume();
  else child.stdout.pipe(createWriteStream(output));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${said}`);
}

/** The seconds that a new replica needs until it has replayed what the primary had when it was asked for. */
export async function buildReplica(world: pg.ClientConfig, cluster: string, folder: string) {
  const connection = { ...world, database: "postgres" };
  const { seconds, result } = await timed(async () => {
    const replica = await openEmbeddedReplica({
      primary: { connection, cluster },
      ...{ dataDirectory: folder, name: "sizing", settings: { shared_buffers: "1GB" } },
    });
    await untilReplayed(connection, replica);
    return replica;
  });
  return { seconds, replica: result };
}

async function untilReplayed(primary: pg.ClientConfig, { socketDirectory, port }: EmbeddedReplica) {
  const standby = { host: socketDirectory, port, user: "postgres", database: "postgres" };
  const asked = await withClient(primary, (client) =>
    client.query("select pg_current_wal_flush_lsn()::text as position"),
  );
  await withClient(standby, async (client) => {
    for (;;) {
      const { rows } = await client.query("select pg_last_wal_replay_lsn() >= $1::pg_lsn as is_there", [
        asked.rows[0].position,
      ]);
      if (rows[0].is_there) return;
    }
  });
}

export type Recovery = Readonly<Record<string, { readonly seconds: number; readonly bytes?: number }>>;

/** Export, migration and import, each by its command. */
export async function exportAndImport(
  postgres: BenchPostgres,
  database: string,
  folder: string,
  hasImport: boolean,
): Promise<Recovery> {
  const file = path.join(folder, "export.ndjson");
  // The caller with two thousand organizations has more entries than the service allows, so import refuses the file.
  const tooMany = "select user_id from administrators group by user_id having count(*) > 1000";
  await withClient(postgres.connectionTo(database), (client) =>
    client.query(`delete from administrators where user_id in (${tooMany})`),
  );
  const exported = await timed(() => runCommand(["export"], postgres.urlOf(database), file));
  const { size } = await stat(file);
  await makeEmpty(postgres, "restored");
  const migrated = await timed(() => runCommand(["migrate"], postgres.urlOf("restored")));
  const imported = hasImport ? await timed(() => runCommand(["import", file], postgres.urlOf("restored"))) : undefined;
  await withClient(postgres.connectionTo("postgres"), (client) => client.query("drop database restored with (force)"));
  await rm(file);
  return {
    "`export` to a file": { seconds: exported.seconds, bytes: size },
    "`migrate` of an empty database": { seconds: migrated.seconds },
    ...(imported && { "`import` of that file": { seconds: imported.seconds } }),
  };
}

/** Postgres must be stopped. */
export async function copyFolder(from: string, to: string): Promise<{ seconds: number; bytes: number }> {
  const { seconds } = await timed(async () => {
    await promisify(execFile)("cp", ["-a", from, to]);
    await promisify(execFile)("sync", ["-f", to]);
  });
  const { stdout } = await promisify(execFile)("du", ["-sb", to]);
  return { seconds, bytes: Number(stdout.split("\t")[0]) };
}
