import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { migrate } from "../../src/postgres/migrations/migrations.ts";
import { withClient } from "../../test/support/with-client.ts";
import type { BenchPostgres } from "../postgres.ts";
import { dropSlowing, fillFrom } from "./catalog.ts";

const database = "world";
const root = path.join(import.meta.dirname, "../..");

export type WorldOptions = {
  /** False for a world whose size and WAL are the product's alone. */
  readonly hasRival: boolean;
};

/** Makes the world of that many authorizations, or finds the complete one of an earlier run. Resolves to its database. */
export async function openWorld(
  postgres: BenchPostgres,
  rows: number,
  say: (text: string) => void,
  { hasRival }: WorldOptions = { hasRival: true },
): Promise<string> {
  const hash = await hashOf(["migrations", "bench/world", ...(hasRival ? ["bench/rival/schema.sql"] : [])]);
  if (await isComplete(postgres, hash)) return database;
  say(`making a world of ${rows} authorizations; it is kept for the next run`);
  await withClient(postgres.connectionTo("postgres"), async (client) => {
    await client.query(`drop database if exists ${database} with (force)`);
    await client.query(`create database ${database} template template0 encoding 'UTF8'`);
  });
  await migrate(postgres.connectionTo(database));
  await withClient(postgres.connectionTo(database), async (client) => {
    await load(client, rows, say, hasRival);
    await client.query("create table bench.stamp (hash text not null)");
    await client.query("insert into bench.stamp values ($1)", [hash]);
  });
  return database;
}

/** A world of an older schema or another loader is no world, nor is one whose making was ended early. */
async function isComplete(postgres: BenchPostgres, hash: string): Promise<boolean> {
  try {
    return await withClient(postgres.connectionTo(database), async (client) => {
      const { rows } = await client.query<{ hash: string }>("select hash from bench.stamp");
      return rows[0]?.hash === hash;
    });
  } catch {
    return false;
  }
}

async function load(client: pg.Client, rows: number, say: (text: string) => void, hasRival: boolean): Promise<void> {
  const step = async (what: string, work: () => Promise<unknown>) => {
    const started = performance.now();
    await work();
    say(`${((performance.now() - started) / 1000).toFixed(1).padStart(7)} s  ${what}`);
  };
  const run = (file: string) => readFile(path.join(root, file), "utf8").then((text) => client.query(text));
  await client.query(sessionSettings);
  await client.query("select set_config('bench.rows', $1, false)", [String(rows)]);
  const restore = await dropSlowing(client, [
    "users",
    "authorizations",
    "authorization_roles",
    "authorization_change_dates",
  ]);
  const restoreHistory = await dropSlowing(client, ["events", "directory_events", "directory_event_places"]);
  await step("directory", () => run("bench/world/directory.sql"));
  await client.query("analyze");
  await step("authorizations thought out", () => run("bench/world/authorizations.sql"));
  await step("authorizations", () => fillFrom(client, "bench.authorizations", "public.authorizations"));
  await step("change dates", () => fillFrom(client, "bench.authorizations", "public.authorization_change_dates"));
  await step("roles", () => fillFrom(client, "bench.authorization_roles", "public.authorization_roles"));
  await step("the indexes the schema has", restore);
  await step("analyze", () => client.query("analyze"));
  await step("callers", () => run("bench/world/callers.sql"));
  await step("history", () => run("bench/world/history.sql"));
  await step("history of the directory", () => run("bench/world/directory-history.sql"));
  await step("the indexes of history", restoreHistory);
  if (hasRival) await step("the rival's tables and indexes", () => run("bench/rival/schema.sql"));
  await client.query("drop table bench.authorizations, bench.authorization_roles");
  await step("numbers", () => recountNumbers(client));
  await step("vacuum", () => client.query("vacuum (analyze)"));
  await client.query("checkpoint");
}

/** What is loaded without triggers is not counted. */
export async function recountNumbers(client: pg.Client): Promise<void> {
  await client.query("select recount_numbers()");
}

// What is loaded here is right by the way it is made: neither references nor triggers have to look at each row. A scan
// that joins another one in the middle would spoil the order in which the rows are written.
const sessionSettings = `
  set session_replication_role = replica;
  set synchronize_seqscans = off;
  set synchronous_commit = off;
  set work_mem = '256MB';
  set maintenance_work_mem = '1GB';
  set max_parallel_maintenance_workers = 2;
  set jit = off;
  set timezone = 'UTC'`;

async function hashOf(places: string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const place of places) {
    const names = place.endsWith(".sql")
      ? [place]
      : (await readdir(path.join(root, place))).map((n) => `${place}/${n}`);
    for (const name of names.sort()) hash.update(name).update(await readFile(path.join(root, name)));
  }
  return hash.digest("hex");
}
