import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { runner } from "node-pg-migrate";
import type pg from "pg";
import sql, { raw } from "sql-template-tag";
import type { PooledDatabase } from "../pool/database.ts";
import { firstRow } from "../pool/first-row.ts";
import { withOwnConnection } from "../pool/own-connection.ts";
import { named } from "../pool/prepared.ts";

const folder = fileURLToPath(new URL("../../../migrations", import.meta.url));
const table = "migrations";

/**
 * Applies missing migrations in order, each in a transaction. If several processes do so at once, one applies them
 * while the others wait and then find nothing to do. Resolves to the names of the applied migrations.
 */
export function migrate(connection: pg.ClientConfig): Promise<string[]> {
  return onSupported(connection, async (client) => {
    // Even with nothing to apply, the runner starts with a step that only the schema's owner may do.
    if ((await missing(client)).length === 0) return [];
    const applied = await runner({
      dbClient: client,
      dir: folder,
      migrationsTable: table,
      direction: "up",
      advisoryLockMode: "wait",
      logger: silent,
    });
    return applied.map((migration) => migration.name);
  });
}

/** The names of the migrations this version needs and the database lacks. */
export function missingMigrations(connection: pg.ClientConfig): Promise<string[]> {
  return onSupported(connection, missing);
}

async function missing(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ exists: boolean }>("select to_regclass($1) is not null as exists", [table]);
  const applied = rows[0]?.exists ? await client.query<{ name: string }>(`select name from ${table}`) : { rows: [] };
  const names = new Set(applied.rows.map((row) => row.name));
  const all = await migrationNames();
  await requireOurLine(client, names, all);
  return all.filter((name) => !names.has(name));
}

/**
 * Refuses a database from a build before the first release. Its migrations have unknown names that sort before the last
 * known one, or a known name with other content. Unknown names that sort later come from a newer release.
 */
async function requireOurLine(client: pg.Client, applied: ReadonlySet<string>, all: readonly string[]): Promise<void> {
  const isOther = [...applied].some((name) => !all.includes(name) && name < (all.at(-1) ?? ""));
  const { rows } = await client.query<{ lacks: boolean }>(
    "select to_regclass('organizations_by_name') is null as lacks",
  );
  if (!isOther && !(applied.has("0001_directory") && rows[0]?.lacks)) return;
  throw new Error(
    "this database was made by an earlier build and cannot be migrated. Export it with that build and import the file " +
      "into an empty database with this one; an export contains neither history nor tokens",
  );
}

/**
 * Whether Postgres answers in time, over a connection that keeps its session, can be written to, and has every migration
 * this version needs. Like RPCs, it uses a prepared statement in a transaction.
 */
export async function isCurrent(database: PooledDatabase, signal: AbortSignal): Promise<boolean> {
  const tooLate = new Promise<boolean>((resolve) => signal.addEventListener("abort", () => resolve(false)));
  return Promise.race([isUsable(database, signal).catch(() => false), tooLate]);
}

async function isUsable(database: PooledDatabase, signal: AbortSignal): Promise<boolean> {
  await database.checkSession(signal);
  const [state] = await database.transaction(signal, ({ query }) =>
    query<{ read_only: string; names: string[] }>(selectState),
  );
  const applied = new Set(state?.names);
  return state?.read_only === "off" && (await migrationNames()).every((name) => applied.has(name));
}

const selectState = named(
  "find applied migrations",
  sql`select current_setting('transaction_read_only') as read_only, array(select name::text from ${raw(table)}) as names`,
);

async function migrationNames(): Promise<string[]> {
  const files = await readdir(folder);
  return files
    .filter((file) => file.endsWith(".sql"))
    .map((file) => file.slice(0, -".sql".length))
    .sort();
}

/** Works on a connection of its own, if the server's version and encoding are supported. */
function onSupported<T>(connection: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  return withOwnConnection(connection, async (client) => {
    const { rows } = await client.query<{ version: number; encoding: string }>(
      "select current_setting('server_version_num')::integer as version, current_setting('server_encoding') as encoding",
    );
    const { version, encoding } = firstRow(rows);
    if (version < 150_000) throw new Error("PostgreSQL 15 or newer is required");
    if (encoding !== "UTF8") throw new Error(`the database's encoding must be UTF8, got ${encoding}`);
    return work(client);
  });
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };
