// Measures what replicas take off the primary: the processor time of the primary, the replicas and the server for one
// list, with 0, 1 and 2 replicas in turns. All of them run on this machine and share its cores.
//
//   npm run bench:replicas -- --rounds 10

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import type pg from "pg";
import { demoCallers, demoWorld } from "../demo/world.ts";
import { openEmbeddedPostgres } from "../src/embedded/embedded-postgres.ts";
import { readPostmasterFile } from "../src/embedded/postmaster-file.ts";
import { migrate } from "../src/postgres/migrations/migrations.ts";
import { callHeaders } from "../test/support/call-headers.ts";
import { type EmbeddedReplica, openEmbeddedReplica } from "../test/support/embedded-replica.ts";
import { withClient } from "../test/support/with-client.ts";
import { load, tokensFor } from "./databases.ts";
import { ask, type Post, send } from "./load.ts";
import { currentCommit, describeMachine } from "./machine.ts";
import { writeBeginning } from "./pairs/section.ts";
import { processorTime, processorTimeOfPostgres, type ServerProcess, startServer } from "./processes.ts";
import { table } from "./report.ts";
import { median } from "./statistics.ts";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "10" }, seconds: { type: "string", default: "4" } },
});
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];
const connections = 16;
const changesPerSecond = 20;

const lists: Record<string, object> = {
  "one row": { pagination: { limit: 1 } },
  "a page of 100 rows": { pagination: { limit: 100 } },
};

/** A server that reads from so many replicas. */
type Side = { readonly replicas: number; readonly server: ServerProcess; readonly metricsUrl: string };

/** What one list cost, in microseconds of processor time, and how many were answered in a second. */
type Cost = {
  readonly rate: number;
  readonly primary: number;
  readonly replicas: number;
  readonly server: number;
  /** The part of the statements that replicas answered. */
  readonly share: number;
};

const folder = await mkdtemp(path.join(tmpdir(), "authorization-bench-replicas-"));
const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
try {
  await measureAll();
} finally {
  for (const stop of stops.toReversed()) await stop();
}

async function measureAll(): Promise<void> {
  const owner = { kind: "server" } as const;
  const postgres = await openEmbeddedPostgres({
    dataDirectory: path.join(folder, "primary"),
    owner,
    say: console.error,
  });
  stops.push(postgres.stop);
  const connection = { host: postgres.socketDirectory, port: postgres.port, user: "postgres", database: "postgres" };
  const token = await makeWorld(connection);
  const primary = { connection, cluster: path.join(folder, "primary/postgres/cluster") };
  const replicas: EmbeddedReplica[] = [];
  for (const name of ["replica_1", "replica_2"]) {
    const replica = await openEmbeddedReplica({ primary, name, dataDirectory: path.join(folder, name) });
    stops.push(replica.stop);
    replicas.push(replica);
  }
  const sides: Side[] = [];
  for (const count of [0, 1, 2]) sides.push(await startSide(urlOf(postgres), replicas.slice(0, count).map(urlOf)));
  const [postmaster = 0, ...standbys] = await Promise.all(
    [primary.cluster, ...replicas.map(({ cluster }) => cluster)].map(
      async (it) => (await readPostmasterFile(it))?.pid ?? 0,
    ),
  );
  const clock = async (side: Side) => ({
    primary: await processorTimeOfPostgres(postmaster),
    replicas: (await Promise.all(standbys.map(processorTimeOfPostgres))).reduce((sum, one) => sum + one, 0),
    server: await processorTime(side.server.process.pid),
    ...(await readsOf(side)),
  });

  const lines: string[][] = [];
  for (const changes of [0, changesPerSecond]) {
    for (const [name, request] of Object.entries(lists)) {
      const costs = sides.map((): Cost[] => []);
      for (let round = 0; round <= rounds; round += 1) {
        for (const [index, side] of round % 2 === 0 ? [...sides.entries()] : [...sides.entries()].toReversed()) {
          const cost = await measure(side, token, request, changes, clock);
          // The first round warms up.
          if (round > 0) costs[index]?.push(cost);
        }
      }
      const what = changes === 0 ? name : `${name}, beside ${changes} changes a second`;
      for (const [index, all] of costs.entries()) {
        const line = [index === 0 ? what : "", String(index), ...describe(all)];
        console.log(line.join(" | "));
        lines.push(line);
      }
    }
  }
  await writeBeginning(path.join(import.meta.dirname, "REPLICAS.md"), render(lines));
}

async function measure(
  side: Side,
  token: string,
  request: object,
  changes: number,
  clock: (side: Side) => Promise<Record<"primary" | "replicas" | "server" | "byPrimary" | "byReplicas", number>>,
): Promise<Cost> {
  const stopChanging = changes === 0 ? () => {} : change(side, token, changes);
  const before = await clock(side);
  const run = await send(post(side, token, "ListAuthorizations", request), { connections, seconds });
  const after = await clock(side);
  stopChanging();
  const count = run.milliseconds.length;
  const of = (what: "primary" | "replicas" | "server") => ((after[what] - before[what]) / count) * 1_000;
  const [byReplicas, byPrimary] = [after.byReplicas - before.byReplicas, after.byPrimary - before.byPrimary];
  return {
    rate: count / run.seconds,
    ...{ primary: of("primary"), replicas: of("replicas"), server: of("server") },
    share: side.replicas === 0 ? 0 : byReplicas / (byReplicas + byPrimary),
  };
}

/** Activates and deactivates an assignment so many times a second. */
function change(side: Side, token: string, perSecond: number): () => void {
  const id = { id: "a-00001" };
  let number = 0;
  const timer = setInterval(() => {
    number += 1;
    const rpc = number % 2 === 0 ? "ActivateAuthorization" : "DeactivateAuthorization";
    ask(post(side, token, rpc, id)).catch((error) => console.error(error.message));
  }, 1_000 / perSecond);
  return () => clearInterval(timer);
}

function post({ server }: Side, token: string, rpc: string, request: object): Post {
  return {
    url: `${server.url}/service.authorization.v2.AuthorizationService/${rpc}`,
    headers: callHeaders(token),
    body: Buffer.from(JSON.stringify(request)),
  };
}

/** How many statements the primary and the replicas have answered. */
async function readsOf({ replicas, metricsUrl }: Side): Promise<{ byPrimary: number; byReplicas: number }> {
  if (replicas === 0) return { byPrimary: 0, byReplicas: 0 };
  const text = await (await fetch(metricsUrl)).text();
  const counts = [...text.matchAll(/^authorization_reads_total\{server="(.+)"\} (\d+)$/gm)];
  const sum = (isPrimary: boolean) =>
    counts.reduce((all, [, server, count]) => ((server === "primary") === isPrimary ? all + Number(count) : all), 0);
  return { byPrimary: sum(true), byReplicas: sum(false) };
}

async function startSide(url: string, replicaUrls: readonly string[]): Promise<Side> {
  const metricsPort = 19_464 + replicaUrls.length;
  const env = {
    ...{ DATABASE_URL: url, DATABASE_REPLICA_URLS: replicaUrls.join(" "), MIGRATE: "false", CONSOLE: "false" },
    ...{ LOG_LEVEL: "error", METRICS_PORT: String(metricsPort) },
  };
  const server = await startServer(["src/main.ts", "serve"], env);
  stops.push(server.stop);
  return { replicas: replicaUrls.length, server, metricsUrl: `http://127.0.0.1:${metricsPort}/metrics` };
}

/** The demo world. Resolves to a token of someone who sees all of it. */
async function makeWorld(connection: pg.ClientConfig): Promise<string> {
  await migrate(connection);
  await load(connection, [...demoWorld()]);
  const [token = ""] = await tokensFor(connection, [demoCallers.instanceOwner]);
  await withClient(connection, (client) => client.query("vacuum analyze"));
  return token;
}

function urlOf({ socketDirectory, port }: { socketDirectory: string; port: number }): string {
  return `postgresql:///postgres?host=${encodeURIComponent(socketDirectory)}&port=${port}&user=postgres`;
}

function describe(costs: readonly Cost[]): string[] {
  const of = (what: keyof Cost) => median(costs.map((cost) => cost[what]));
  const micro = (what: "primary" | "replicas" | "server") => String(Math.round(of(what)));
  return [
    Math.round(of("rate")).toLocaleString("en-US"),
    ...[micro("primary"), micro("replicas"), micro("server")],
    `${Math.round(of("share") * 100)}%`,
  ];
}

function render(lines: readonly string[][]): string {
  const header = [
    "list",
    "replicas",
    "lists a second",
    "µs on the primary",
    "µs on replicas",
    "µs in the server",
    "by replicas",
  ];
  return `${[
    "# What replicas take off the primary",
    `Written by \`npm run bench:replicas\` on commit ${currentCommit()}; [README.md](README.md) says what is measured. [Why replicas are never
stale](../docs/explanation/replicas.md) says what a read on a replica does.`,
    `Machine: ${describeMachine()}. The demo world with 10,000 assignments, ${rounds} rounds of ${seconds} seconds each, in turns, ${connections} connections. The primary, the
replicas and the server share the cores, so the rates show only what more processes cost here. Times are processor time for one list; each number is a median over the rounds. Those beside changes include
the changes.`,
    table(header, lines),
  ].join("\n\n")}\n`;
}
