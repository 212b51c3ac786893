// What a second worker gives: rates and processor time of short lists and pages with one and two workers by turns, on
// Postgres and on a stub that answers from memory. See README.md. Needs Linux.
//
//   npm run bench:workers -- --rows 100k --rounds 7

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { readPostmasterFile } from "../../src/embedded/postmaster-file.ts";
import { callHeaders } from "../../test/support/call-headers.ts";
import { childrenOf } from "../../test/support/workers.ts";
import { makeTokens } from "../callers.ts";
import { type Post, send } from "../load.ts";
import { currentCommit, describeMachine } from "../machine.ts";
import { readCount } from "../options.ts";
import { openBenchPostgres } from "../postgres.ts";
import { processorTime, processorTimeOfPostgres, type ServerProcess, stopProcess } from "../processes.ts";
import { number, table } from "../report.ts";
import { startOurs } from "../sides.ts";
import { median } from "../statistics.ts";
import { openWorld } from "../world/world.ts";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "100k" },
    rounds: { type: "string", default: "7" },
    seconds: { type: "string", default: "3" },
    connections: { type: "string", default: "16" },
  },
});
const [rows, rounds] = [readCount(values.rows), readCount(values.rounds)];
const load = { connections: Number(values.connections), seconds: Number(values.seconds) };

const requests = {
  "short lists": { pagination: { limit: 1 } },
  "pages of 100": { pagination: { limit: 100 } },
};

type Backend = "Postgres" | "the stub";
type Side = { readonly backend: Backend; readonly workers: number; readonly server: ServerProcess };

/** Requests a second, and microseconds of processor time for each request. */
type Measured = Record<"rate" | "workers" | "first" | "backend" | "load", number>;

const stops: (() => Promise<unknown>)[] = [];
try {
  await measureAll();
} finally {
  for (const stop of stops.toReversed()) await stop();
}

async function measureAll(): Promise<void> {
  const postgres = await openBenchPostgres(rows);
  stops.push(postgres.stop);
  const world = await openWorld(postgres, rows, console.log);
  const { instance } = await makeTokens(postgres.connectionTo(world));
  const { host, port } = postgres.connectionTo(world);
  const folder = await mkdtemp(path.join(tmpdir(), "bench-workers-"));
  stops.push(() => rm(folder, { recursive: true, force: true }));
  const stub = await startStub(folder, `${host}/.s.PGSQL.${port}`);
  stops.push(() => stopProcess(stub));
  const urls: Record<Backend, string> = {
    Postgres: postgres.urlOf(world),
    "the stub": `postgresql:///${world}?host=${encodeURIComponent(folder)}&port=5432&user=postgres`,
  };
  const cluster = path.join(import.meta.dirname, `../../.data/bench-${rows}/postgres/cluster`);
  const postmaster = (await readPostmasterFile(cluster))?.pid ?? 0;
  const backendTime = (backend: Backend) =>
    backend === "Postgres" ? processorTimeOfPostgres(postmaster) : processorTime(stub.pid);

  const found = new Map<string, Measured[]>();
  for (const backend of ["the stub", "Postgres"] as const) {
    const sides: Side[] = [];
    for (const workers of [1, 2]) sides.push(await startSide(backend, urls[backend], workers));
    stub.send("replay");
    for (const [what, request] of Object.entries(requests)) {
      for (let round = 0; round <= rounds; round += 1) {
        for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
          const measured = await measure(side, postTo(side, instance.token, request), backendTime);
          console.log(`${round}: ${backend}, ${what}, ${side.workers}: ${Math.round(measured.rate)} a second`);
          const key = [backend, what, side.workers].join("|");
          // The first round warms up.
          if (round > 0) found.set(key, [...(found.get(key) ?? []), measured]);
        }
      }
    }
    for (const { server } of sides) await server.stop();
  }
  await writeFile(path.join(import.meta.dirname, "../WORKERS.md"), render(found));
}

async function startSide(backend: Backend, url: string, workers: number): Promise<Side> {
  const env = { DATABASE_URL: url, DATABASE_POOL_SIZE: "10", MIGRATE: "false", CONSOLE: "false" };
  const server = await startOurs({ ...env, WORKERS: String(workers) });
  stops.push(server.stop);
  return { backend, workers, server };
}

async function startStub(folder: string, upstream: string): Promise<ChildProcess> {
  const stub = spawn(process.execPath, [path.join(import.meta.dirname, "replaying-postgres.ts"), folder, upstream], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  await once(stub, "message");
  if (!(await readdir(folder)).some((name) => name.startsWith(".s.PGSQL"))) throw new Error("the stub has no socket");
  return stub;
}

function postTo({ server }: Side, token: string, request: object): Post {
  return {
    url: `${server.url}/service.authorization.v2.AuthorizationService/ListAuthorizations`,
    headers: callHeaders(token),
    body: Buffer.from(JSON.stringify(request)),
  };
}

async function measure(
  { backend, workers, server }: Side,
  post: Post,
  backendTime: (backend: Backend) => Promise<number>,
): Promise<Measured> {
  const own = server.process.pid;
  const serving = workers === 1 ? [own] : childrenOf(own);
  const clock = async () => ({
    workers: (await Promise.all(serving.map(processorTime))).reduce((sum, one) => sum + one, 0),
    first: workers === 1 ? 0 : await processorTime(own),
    backend: await backendTime(backend),
    load: await processorTime(process.pid),
  });
  const before = await clock();
  const { milliseconds, seconds } = await send(post, load);
  const after = await clock();
  const of = (what: keyof typeof before) => ((after[what] - before[what]) / milliseconds.length) * 1_000;
  const costs = { workers: of("workers"), first: of("first"), backend: of("backend"), load: of("load") };
  return { rate: milliseconds.length / seconds, ...costs };
}

function render(found: ReadonlyMap<string, readonly Measured[]>): string {
  // The line of one worker comes first.
  const sorted = [...found].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const lines = sorted.map(([key, measured]) => {
    const [backend = "", what = "", workers = ""] = key.split("|");
    const one = found.get([backend, what, 1].join("|")) ?? [];
    const ratios = measured.map(({ rate }, round) => rate / (one[round]?.rate ?? Number.NaN)).sort((a, b) => a - b);
    const ratio = `${median(ratios).toFixed(2)} (${ratios[0]?.toFixed(2)} to ${ratios.at(-1)?.toFixed(2)})`;
    const of = (name: keyof Measured) => number(median(measured.map((each) => each[name])));
    return [
      workers === "1" ? `${what}, ${backend}` : "",
      workers,
      of("rate"),
      workers === "1" ? "" : ratio,
      ...[of("workers"), of("first"), of("backend"), of("load")],
    ];
  });
  const header = ["", "workers", "a second", "ratio of rates", "µs in workers", "µs in the first process"];
  return `${[
    "# What a second worker gives",
    `Written by \`npm run bench:workers\` on commit ${currentCommit()}; [README.md](README.md#workers) says what is measured.`,
    `Machine: ${describeMachine()}. ${values.rows} authorizations, ${rounds} rounds of ${values.seconds} seconds each, in turns, ${values.connections} connections. The ratios are medians over the
rounds, with the smallest and the largest. Times are processor time for one request; those of the load generator are here because it needs the same cores.
Where the load average is above the number of cores, other work ran beside the bench: then the ratios say little, and the processor times more.`,
    table([...header, "µs in Postgres or the stub", "µs in the load generator"], lines),
    projection(found),
  ].join("\n\n")}\n`;
}

/** What the times say about machines with more cores. */
function projection(found: ReadonlyMap<string, readonly Measured[]>): string {
  const of = (key: string, name: keyof Measured) => median((found.get(key) ?? []).map((each) => each[name]));
  const lines = Object.keys(requests).map((what) => {
    const [stub, alone] = [`the stub|${what}|2`, `Postgres|${what}|1`];
    const [worker, first] = [of(stub, "workers"), of(stub, "first")];
    const perWorker = 1_000_000 / worker;
    const most = first < 1 ? "more than 1,000,000" : number(1_000_000 / first);
    const postgres = of(alone, "backend");
    return [what, number(perWorker), number(4 * perWorker), most, number(postgres), (postgres / worker).toFixed(2)];
  });
  return [
    "## What more cores would give",
    `Worked out from the times above, not measured: this machine has no cores to spare. A worker that has a core for itself answers as many requests as fit into a second of
its time, and workers share nothing but the first process, which each connection passes once.`,
    table(
      [
        ...["", "a second for each worker", "with four workers on four cores", "where the first process ends"],
        ...["µs in Postgres for each", "cores for Postgres for each worker"],
      ],
      lines,
    ),
  ].join("\n\n");
}
