// Starts a primary with two replicas, and a server that reads from them, and shows that no answer is stale, whatever you
// do to the replicas. Everything is deleted at the end.
//
//   npm run demo:replicas                  until Ctrl-C
//   npm run demo:replicas -- --seconds 20

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { demoCallers, demoWorld } from "../demo/world.ts";
import { openEmbeddedPostgres } from "../src/embedded/embedded-postgres.ts";
import { readPostmasterFile } from "../src/embedded/postmaster-file.ts";
import { callHeaders } from "../test/support/call-headers.ts";
import { type EmbeddedReplica, openEmbeddedReplica } from "../test/support/embedded-replica.ts";

const { values } = parseArgs({ options: { seconds: { type: "string", default: "Infinity" } } });
const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopping.abort());
const reportEveryMs = 2_000;
const main = join(import.meta.dirname, "../src/main.ts");
const folder = await mkdtemp(join(tmpdir(), "authorization-demo-"));
const running: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];

try {
  await demonstrate();
} finally {
  stopping.abort();
  for (const stop of running.toReversed()) await stop();
}

async function demonstrate(): Promise<void> {
  const owner = { kind: "server" } as const;
  const postgres = await openEmbeddedPostgres({ dataDirectory: join(folder, "primary"), owner, say: console.error });
  running.push(postgres.stop);
  const connection = { host: postgres.socketDirectory, port: postgres.port, user: "postgres", database: "postgres" };
  const primary = { connection, cluster: join(folder, "primary/postgres/cluster") };
  const replicas: EmbeddedReplica[] = [];
  for (const name of ["replica_1", "replica_2"]) {
    const replica = await openEmbeddedReplica({ primary, name, dataDirectory: join(folder, name) });
    running.push(replica.stop);
    replicas.push(replica);
  }
  const env = { DATABASE_URL: urlOf(postgres), DATABASE_REPLICA_URLS: replicas.map(urlOf).join(" ") };
  await command(env, ["import", "-"], [...demoWorld()].map((change) => JSON.stringify(change)).join("\n"));
  const token = (await command(env, ["token", "create", "--user", demoCallers.instanceOwner])).trim();
  const { url, metricsUrl } = await serve(env);

  const names = new Map(replicas.map((replica, index) => [`${replica.socketDirectory}:${replica.port}`, index + 1]));
  console.log(`\nA server at ${url} with a primary and two replicas. Nothing goes wrong without one of them:\n`);
  for (const [index, replica] of replicas.entries()) {
    const file = await readPostmasterFile(replica.cluster);
    console.log(`  kill -INT ${file?.pid}   stops replica ${index + 1}`);
    startAgain(replica, `replica ${index + 1}`).catch(() => {});
  }
  console.log("\nIt is started again after ten seconds. Press Ctrl-C to stop everything.\n");
  await showReads({ url, token, metricsUrl, names });
}

/** Starts a replica once more after someone has stopped it. */
async function startAgain(replica: EmbeddedReplica, name: string): Promise<void> {
  while (!stopping.signal.aborted) {
    // Postgres removes its file when it ends.
    if ((await readPostmasterFile(replica.cluster)) === undefined) {
      await sleep(10_000, undefined, { signal: stopping.signal });
      await replica.halt();
      await replica.start();
      console.log(`${name} runs again, as process ${(await readPostmasterFile(replica.cluster))?.pid}.`);
    }
    await sleep(500, undefined, { signal: stopping.signal });
  }
}

type List = { authorizations: { id: string; state: string }[] };
type Shown = { url: string; token: string; metricsUrl: string; names: ReadonlyMap<string, number> };

/** Changes an assignment and reads it at once, again and again, and reports now and then who answered. */
async function showReads({ url, token, metricsUrl, names }: Shown): Promise<void> {
  const call = async (rpc: string, request: object): Promise<List> => {
    const headers = callHeaders(token);
    const at = `${url}/service.authorization.v2.AuthorizationService/${rpc}`;
    const response = await fetch(at, { method: "POST", headers, body: JSON.stringify(request) });
    if (!response.ok) throw new Error(`${rpc} was answered with ${response.status}: ${await response.text()}`);
    return (await response.json()) as List;
  };
  const id = (await call("ListAuthorizations", { pagination: { limit: 1 } })).authorizations[0]?.id;
  let [reads, stale, reportAt] = [0, 0, performance.now() + reportEveryMs];
  const endAt = performance.now() + Number(values.seconds) * 1_000;
  for (let isActive = false; !stopping.signal.aborted && performance.now() < endAt; isActive = !isActive) {
    await call(isActive ? "ActivateAuthorization" : "DeactivateAuthorization", { id });
    const filters = [{ authorizationIds: { ids: [id] } }];
    const lists = await Promise.all(Array.from({ length: 20 }, () => call("ListAuthorizations", { filters })));
    const expected = isActive ? "STATE_ACTIVE" : "STATE_INACTIVE";
    reads += lists.length;
    stale += lists.filter(({ authorizations }) => authorizations[0]?.state !== expected).length;
    if (performance.now() >= reportAt) {
      console.log(`${reads} reads, ${stale} of them stale. ${await sharesFrom(metricsUrl, names)}`);
      reportAt = performance.now() + reportEveryMs;
    }
    await sleep(100);
  }
}

async function sharesFrom(metricsUrl: string, names: Shown["names"]): Promise<string> {
  const text = await (await fetch(metricsUrl)).text();
  const named = (server = "") => (server === "primary" ? "the primary" : `replica ${names.get(server)}`);
  const counts = [...text.matchAll(/^authorization_reads_total\{server="(.+)"\} (\d+)$/gm)];
  const leftOut = [...text.matchAll(/^authorization_replica_left_out\{replica="(.+)",reason="(.+)"\} 1$/gm)];
  const shares = counts.map(([, server, count]) => `${named(server)} ${count}`).join(", ");
  return `Statements: ${shares}.${leftOut.map(([, name, why]) => ` Left out: ${named(name)} (${why}).`).join("")}`;
}

async function serve(env: Record<string, string>): Promise<{ url: string; metricsUrl: string }> {
  const child = start({ ...env, PORT: "0", METRICS_PORT: "0", CONSOLE: "false", MIGRATE: "false" }, ["serve"]);
  running.push(async () => {
    if (child.exitCode !== null) return;
    child.kill("SIGTERM");
    await once(child, "exit");
  });
  return new Promise((resolve, reject) => {
    let said = "";
    child.once("exit", () => reject(new Error(`the server ended: ${said}`)));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-10_000);
      const url = /listening at (http:[^"\s]+)/.exec(said)?.[1];
      const metricsUrl = /metrics at (http:[^"\s]+)/.exec(said)?.[1];
      if (url !== undefined && metricsUrl !== undefined) resolve({ url, metricsUrl });
    });
  });
}

/** In a group of its own, so that Ctrl-C reaches only this process, which stops everything in order. */
function start(env: Record<string, string>, args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [main, ...args], { env: { ...process.env, ...env }, detached: true });
}

async function command(env: Record<string, string>, args: readonly string[], input = ""): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { env: { ...process.env, ...env }, maxBuffer: 10_000_000 };
    const child = execFile(process.execPath, [main, ...args], options, (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    );
    child.stdin?.end(input);
  });
}

function urlOf({ socketDirectory, port }: { socketDirectory: string; port: number }): string {
  return `postgresql:///postgres?host=${encodeURIComponent(socketDirectory)}&port=${port}&user=postgres`;
}
