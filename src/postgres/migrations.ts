import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { runner } from "node-pg-migrate";
import pg from "pg";
import sql, { raw } from "sql-template-tag";
import type { Database } from "./database.ts";
import { named } from "./prepared.ts";

const folder = fileURLToPath(new URL("../../migrations", import.meta.url));
const table = "migrations";

/**
 * Applies the migrations that are missing, in order, each in a transaction. Of several processes that do
 * so at once one applies them and the others wait, then find nothing left to do.
 * Resolves to the names of what was applied.
 */
export async function migrate(connection: pg.ClientConfig): Promise<string[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await requireSupported(client);
    // The runner begins with what only the owner of the schema may do, also when there is nothing to apply.
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
  } finally {
    await client.end();
  }
}

/** The names of the migrations this version needs and the database lacks. */
export async function missingMigrations(connection: pg.ClientConfig): Promise<string[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await requireSupported(client);
    return await missing(client);
  } finally {
    await client.end();
  }
}

async function missing(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ exists: boolean }>("select to_regclass($1) is not null as exists", [table]);
  const applied = rows[0]?.exists ? await client.query<{ name: string }>(`select name from ${table}`) : { rows: [] };
  const names = new Set(applied.rows.map((row) => row.name));
  return (await migrationNames()).filter((name) => !names.has(name));
}

/**
 * Whether Postgres answers in time, can be written to, and has every migration this version needs; asked as RPCs ask,
 * with a prepared statement in a transaction.
 */
export async function isCurrent(database: Database, signal: AbortSignal): Promise<boolean> {
  const tooLate = new Promise<boolean>((resolve) => signal.addEventListener("abort", () => resolve(false)));
  return Promise.race([isUsable(database, signal).catch(() => false), tooLate]);
}

async function isUsable(database: Database, signal: AbortSignal): Promise<boolean> {
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

async function requireSupported(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: number; encoding: string }>(
    "select current_setting('server_version_num')::integer as version, current_setting('server_encoding') as encoding",
  );
  const server = rows[0];
  if (server === undefined || server.version < 150_000) {
    throw new Error("PostgreSQL 15 or newer is needed");
  }
  if (server.encoding !== "UTF8") {
    throw new Error(`the database has the encoding ${server.encoding}, it must have UTF8`);
  }
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };
