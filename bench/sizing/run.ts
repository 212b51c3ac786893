// What a world of that many assignments needs: space, processor time, log, and time to copy and restore it. See README.md.
//
//   npm run bench:sizing -- --rows 1M

import { mkdir, readFile, rm, statfs, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { readPostmasterFile } from "../../src/embedded/postmaster-file.ts";
import { findPostmaster } from "../bench.ts";
import { makeTokens } from "../callers.ts";
import { currentCommit, describeMachine } from "../machine.ts";
import { readCount } from "../options.ts";
import { type BenchPostgres, openBenchPostgres } from "../postgres.ts";
import { startOurs } from "../sides.ts";
import { openWorld } from "../world/world.ts";
import { type Bench, type Measured, measure } from "./measure.ts";
import { flushTime, questionCost, snapshotCost } from "./questions.ts";
import { buildReplica, copyFolder, exportAndImport, type Recovery, timed } from "./recovery.ts";
import { render } from "./render.ts";
import { planRequests } from "./requests.ts";
import type { Result } from "./result.ts";
import { readSizes } from "./sizes.ts";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "1M" },
    seconds: { type: "string", default: "3" },
    rounds: { type: "string", default: "3" },
    connections: { type: "string", default: "16" },
    import: { type: "boolean", default: false },
    render: { type: "boolean", default: false },
  },
});
const rows = readCount(values.rows);
const results = path.join(import.meta.dirname, "../results/sizing/results.json");
const folder = path.join(import.meta.dirname, `../../.data/sizing-${rows}`);

if (!values.render) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  try {
    await keep(await measureAll());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
await writeFile(path.join(import.meta.dirname, "../SIZING.md"), render(await readResults()));

async function measureAll(): Promise<Result> {
  const dataDirectory = path.join(folder, "primary");
  // A world that is thrown away needs no long log, only what the changes wrote that are measured.
  const settings = { max_wal_size: "2GB", wal_keep_size: "2GB" };
  const open = () => openBenchPostgres(rows, { dataDirectory, settings });
  let postgres = await open();
  const stops: (() => Promise<unknown>)[] = [() => postgres.stop()];
  try {
    const made = await timed(() => openWorld(postgres, rows, console.log, { hasRival: false }));
    const database = made.result;
    const sizes = await readSizes(postgres.connectionTo(database));
    const { recovery: built, ...requests } = await measureRequests(postgres, database);
    const recovery = { ...built, ...(await exportAndImport(postgres, database, folder, values.import)) };
    await postgres.stop();
    const copied = (await hasRoomFor(2)) ? await copyAndBack(dataDirectory) : {};
    const started = await timed(async () => {
      postgres = await open();
    });
    return {
      ...{ rows, machine: describeMachine(), commit: currentCommit(), sizes, ...requests },
      madeIn: made.seconds,
      recovery: { ...recovery, ...copied, "start on such a copy": { seconds: started.seconds } },
    };
  } finally {
    for (const stop of stops) await stop();
  }
}

async function measureRequests(postgres: BenchPostgres, database: string) {
  const world = postgres.connectionTo(database);
  const callers = await makeTokens(world);
  const all = await planRequests(world, callers);
  const postmaster = await findPostmaster(world);
  const bench = {
    ...{ world, postmaster, seconds: Number(values.seconds), rounds: Number(values.rounds) },
    connections: Number(values.connections),
  };
  const onPrimary = await withServer({ DATABASE_URL: postgres.urlOf(database) }, bench, all);
  const costs = { question: await questionCost(world), flush: await flushTime(folder) };
  if (!(await hasRoomFor(1))) return { onPrimary, replicated: [], costs, recovery: {} };

  const cluster = path.join(folder, "primary/postgres/cluster");
  const { replica, seconds } = await buildReplica(world, cluster, path.join(folder, "replica"));
  try {
    const host = encodeURIComponent(replica.socketDirectory);
    const replicaUrl = `postgresql:///${database}?host=${host}&port=${replica.port}&user=postgres`;
    const pid = (await readPostmasterFile(replica.cluster))?.pid ?? 0;
    const env = { DATABASE_URL: postgres.urlOf(database), DATABASE_REPLICA_URLS: replicaUrl };
    const some = all.filter(({ name }) => ["short list", "page of 100", "update", "create"].includes(name));
    const replicated = await withServer(env, { ...bench, replica: pid }, some);
    const snapshot = await snapshotCost({ ...world, host: replica.socketDirectory });
    return { onPrimary, replicated, costs: { ...costs, snapshot }, recovery: { "build a replica": { seconds } } };
  } finally {
    await replica.stop();
    await rm(path.join(folder, "replica"), { recursive: true, force: true });
  }
}

async function withServer(
  environment: Record<string, string>,
  bench: Omit<Bench, "url" | "server">,
  planned: Awaited<ReturnType<typeof planRequests>>,
): Promise<Measured[]> {
  const server = await startOurs({ ...environment, MIGRATE: "false", CONSOLE: "false", DATABASE_POOL_SIZE: "10" });
  try {
    const all: Measured[] = [];
    for (const one of planned) {
      const measured = await measure({ ...bench, url: server.url, server: server.process.pid }, one);
      console.log(`${one.name}: ${JSON.stringify(measured)}`);
      all.push(measured);
    }
    return all;
  } finally {
    await server.stop();
  }
}

/** Whether so many copies of the world leave others on this machine 12 GiB. */
async function hasRoomFor(copies: number): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return (bavail * bsize) / 1024 ** 3 >= 12 + copies * 8 * (rows / 1_000_000);
}

async function copyAndBack(dataDirectory: string): Promise<Recovery> {
  const copy = path.join(folder, "copy");
  const back = path.join(folder, "back");
  try {
    const away = await copyFolder(dataDirectory, copy);
    const again = await copyFolder(copy, back);
    return { "copy `DATA_DIR`, stopped": away, "copy it back": again };
  } finally {
    for (const one of [copy, back]) await rm(one, { recursive: true, force: true });
  }
}

async function readResults(): Promise<Result[]> {
  return JSON.parse(await readFile(results, "utf8").catch(() => "[]"));
}

/** One result for each size. */
async function keep(result: Result): Promise<void> {
  const others = (await readResults()).filter((one) => one.rows !== result.rows);
  const all = [...others, result].sort((a, b) => a.rows - b.rows);
  await mkdir(path.dirname(results), { recursive: true });
  await writeFile(results, `${JSON.stringify(all, null, 1)}\n`);
}
