import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import { withClient } from "../../test/support/with-client.ts";
import type { Bench, Case } from "../bench.ts";
import { makeMigrated } from "../databases.ts";
import { median } from "../statistics.ts";

const root = path.join(import.meta.dirname, "../..");
const imported = "bench_imported";
const copied = "bench_copied";

/** What import fills, in an order that references allow. The totals are kept by triggers, here as there. */
const tables = ["organizations", "users", "projects", "project_roles", "project_grants", "project_grant_roles"];
tables.push("administrators", "authorizations", "authorization_roles", "events");

/** The import command against raw COPY of the rows it writes, into fresh databases with the whole schema. */
export const importCase: Case = {
  name: "import",
  title: "import of the whole world ÷ raw COPY of the same rows into every table",
  slow: true,
  async run(bench) {
    const folder = path.join(root, `.data/bench-${bench.options.rows}/import`);
    await mkdir(folder, { recursive: true });
    const file = path.join(folder, "world.ndjson");
    await cli(bench, "world", ["export"], file);
    const imports: number[] = [];
    const copies: number[] = [];
    try {
      for (let round = 0; round < bench.options.rounds; round += 1) {
        await makeFresh(bench, imported);
        imports.push(await timed(() => cli(bench, imported, ["import", file])));
        if (round === 0)
          await withClient(bench.postgres.connectionTo(imported), (client) => writeTables(client, folder));
        await makeFresh(bench, copied);
        copies.push(await timed(() => withClient(bench.postgres.connectionTo(copied), (c) => copyTables(c, folder))));
        bench.say(`  import ${imports.at(-1)?.toFixed(1)} s, copy ${copies.at(-1)?.toFixed(1)} s`);
      }
    } finally {
      for (const name of [imported, copied]) await dropDatabase(bench, name);
      await rm(folder, { recursive: true, force: true });
    }
    const numbers = {
      "seconds of import": median(imports),
      "seconds of COPY": median(copies),
      "authorizations/s imported": bench.options.rows / median(imports),
      "rows/s, import ÷ COPY": median(copies) / median(imports),
    };
    return { measurements: [], numbers, notes: ["COPY is one transaction, as the import is; both with all triggers."] };
  },
};

async function cli(bench: Bench, database: string, args: string[], output?: string): Promise<void> {
  const child = spawn(process.execPath, ["src/main.ts", ...args], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: bench.postgres.urlOf(database) },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(child, "exit");
  if (output === undefined) child.stdout.resume();
  else await pipeline(child.stdout, createWriteStream(output));
  const [code] = await ended;
  if (code !== 0) throw new Error(`${args[0]} ended with code ${code}`);
}

async function makeFresh({ postgres }: Bench, name: string): Promise<void> {
  const connection = await makeMigrated(postgres, name);
  await withClient(connection, (client) => client.query("checkpoint"));
}

function dropDatabase(bench: Bench, name: string): Promise<unknown> {
  return withClient(bench.postgres.connectionTo("postgres"), (client) =>
    client.query(`drop database if exists ${name} with (force)`),
  );
}

async function writeTables(client: pg.Client, folder: string): Promise<void> {
  for (const table of tables) {
    const text = `copy (select ${await columnsOf(client, table)} from ${table}) to stdout`;
    await pipeline(client.query(copyTo(text)), createWriteStream(path.join(folder, table)));
  }
}

async function copyTables(client: pg.Client, folder: string): Promise<void> {
  await client.query("begin");
  for (const table of tables) {
    const text = `copy ${table} (${await columnsOf(client, table)}) from stdin`;
    await pipeline(createReadStream(path.join(folder, table)), client.query(copyFrom(text)));
  }
  await client.query("commit");
}

/** All that can be written. */
async function columnsOf(client: pg.Client, table: string): Promise<string> {
  const { rows } = await client.query<{ columns: string }>(
    `select string_agg(attname, ', ' order by attnum) as columns from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  return rows[0]?.columns ?? "";
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}
