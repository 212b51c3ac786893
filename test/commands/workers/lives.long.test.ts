// How workers start, die, are replaced and stop: docs/how-to/use-all-cores.md.

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { beforeEach, describe, expect, inject, onTestFinished, test } from "vitest";
import { databaseUrl } from "../../support/cluster.ts";
import { runCommand } from "../../support/command.ts";
import { databaseInTest, type TestDatabase } from "../../support/database.ts";
import { startHttpServer } from "../../support/http-server.ts";
import { callOf, type Http2Client } from "../../support/http2.ts";
import { hold } from "../../support/locks.ts";
import { isAlive, workersOf } from "../../support/processes.ts";
import { scrape } from "../../support/scrape.ts";
import { startInTest, stop } from "../../support/start-in-test.ts";
import { until } from "../../support/until.ts";
import { startWorkers } from "../../support/workers.ts";

let database: TestDatabase;
let token: string;

beforeEach(async () => {
  database = await databaseInTest(inject("smallWorldDatabase"));
  token = await database.token("root");
});

const start = (env: Record<string, string> = {}, count = 2) =>
  startWorkers({ DATABASE_URL: database.url, ...env }, count);
const answered = "authorization_request_duration_seconds_count";
const list = `rpc="service.authorization.v2.AuthorizationService/ListAuthorizations",protocol="connect",code="ok"`;
const update = (client: Http2Client, roleKeys: string[]) =>
  client.send(callOf("UpdateAuthorization", token), JSON.stringify({ id: "a1", roleKeys }));

test("All workers answer, what is said once is said once, and every line has its process", async () => {
  const { log, connections, process: primary, metricsUrl, pids } = await start({}, 3);
  const clients = await connections();
  expect([...clients.keys()].toSorted()).toEqual(pids().toSorted());
  for (const client of clients.values()) expect((await client.call("ListAuthorizations", token)).status).toBe(200);
  for (const what of ["Server listening at", "serving metrics at", "the console"]) {
    const said = log().filter(({ msg }) => String(msg).includes(what));
    expect(said.map(({ pid }) => pid)).toEqual(what === "the console" ? [] : [primary.pid]);
  }
  const { values } = await scrape(metricsUrl);
  expect(values.get(`${answered}{${list}}`)).toBe(3);
  expect([values.get("authorization_workers"), values.get("authorization_pool_size")]).toEqual([3, 10]);
});

test("A killed worker is replaced at once, others don't notice, and nothing acknowledged or counted is lost", async () => {
  const { log, connections, metricsUrl, untilComplete, pids } = await start();
  const [[killed, one], [, other]] = [...(await connections())] as [[number, Http2Client], [number, Http2Client]];
  for (const client of [one, other]) expect((await client.call("ListAuthorizations", token)).status).toBe(200);
  expect((await scrape(metricsUrl)).values.get(`${answered}{${list}}`)).toBe(2);
  const before = await scrape(metricsUrl);

  let isOver = false;
  const acknowledged: string[][] = [];
  const statuses: number[] = [];
  const working = [0, 1, 2].map(async () => {
    while (!isOver) statuses.push((await other.call("ListAuthorizations", token)).status);
  });
  const writing = (async () => {
    for (let count = 0; ; count += 1) {
      const roles = count % 2 ? ["seller"] : ["auditor"];
      const answer = await update(one, roles).catch(() => undefined);
      if (answer?.status !== 200) return roles;
      acknowledged.push(roles);
      if (acknowledged.length === 5) process.kill(killed, "SIGKILL");
    }
  })();
  const unknown = await writing;
  await untilComplete();
  isOver = true;
  await Promise.all(working);
  expect(new Set(statuses)).toEqual(new Set([200]));
  const [stored] = await database.query<{ role_key: string }>(
    "select role_key from authorization_roles where authorization_id = 'a1'",
  );
  // The last one had no answer: it may or may not be stored.
  expect([acknowledged.at(-1)?.[0], unknown[0]]).toContain(stored?.role_key);

  expect(pids()).not.toContain(killed);
  const said = await until("the log", () => {
    const lines = log().filter(({ msg }) => msg === "a worker died and is replaced");
    return lines.length > 0 && lines;
  });
  expect(said).toMatchObject([{ level: 50, worker: expect.any(Number), workerPid: killed, how: "SIGKILL" }]);
  const after = await until("the one that takes its place", async () => {
    const found = await scrape(metricsUrl);
    return found.values.get("authorization_workers") === before.values.get("authorization_workers") && found;
  });
  expect(after.values.get('authorization_worker_deaths_total{how="SIGKILL"}')).toBe(1);
  const isCounter = /^(?!nodejs_active).*_(total|count|sum|bucket)(\{|$)/;
  const counters = [...before.values].filter(([name]) => isCounter.test(name));
  expect(counters.length).toBeGreaterThan(50);
  expect(counters.filter(([name, value]) => (after.values.get(name) ?? 0) < value)).toEqual([]);
});

test("All workers that die, and again before they serve, are replaced: the server doesn't end", async () => {
  const { process: primary, pids, log, untilComplete } = await start();
  const killed = new Set(pids());
  for (const pid of killed) process.kill(pid, "SIGKILL");
  const early = await until("a replacement", () => pids().find((pid) => !killed.has(pid)));
  process.kill(early, "SIGKILL");
  await until("three deaths", () => log().filter(({ msg }) => /^a worker died/.test(String(msg))).length === 3);
  const serving = await untilComplete();
  expect(serving).toHaveLength(2);
  expect(serving).not.toContain(early);
  expect(primary.exitCode).toBeNull();
});

test.runIf(existsSync("/usr/bin/prlimit"))("A worker that can't start is started as soon as it can", async () => {
  const { process: primary, pids, log, untilComplete } = await start();
  const limitFiles = (most: number) => execFileSync("prlimit", ["--pid", `${primary.pid}`, `--nofile=${most}:`]);
  limitFiles(0);
  process.kill(pids()[0] as number, "SIGKILL");
  await until("it to fail", () => log().some(({ how }) => how === "EMFILE"));
  limitFiles(1_024);
  expect(await untilComplete()).toHaveLength(2);
});

test("Metrics don't wait for a worker that takes nothing, not even its next connection", async () => {
  const { metricsUrl, pids, url } = await start();
  const [paused] = pids() as [number];
  process.kill(paused, "SIGSTOP");
  onTestFinished(() => void process.kill(paused, "SIGCONT"));
  let count = 0;
  // One of the first two is for that worker.
  const answers = [1, 2, 3].map(async () => {
    await fetch(`${url}/healthz`);
    count += 1;
  });
  await until("the other worker", () => count === 2);
  for (const _ of [1, 2]) expect((await scrape(metricsUrl)).values.get("authorization_workers")).toBe(2);
  process.kill(paused, "SIGCONT");
  await Promise.all(answers);
});

test("Each worker says for itself whether it is ready", async () => {
  const { connections, pids } = await start();
  const all = await connections();
  for (const client of all.values()) expect((await client.get("/readyz")).status).toBe(200);
  const [paused] = pids() as [number];
  const other = [...all].find(([pid]) => pid !== paused)?.[1] as Http2Client;
  process.kill(paused, "SIGSTOP");
  expect((await other.get("/readyz")).status).toBe(200);
  process.kill(paused, "SIGCONT");
});

describe("The server stops", () => {
  test.each(["SIGTERM", "SIGINT"] as const)(
    "on %s, also if all processes get it and more signals follow, after the requests in flight, and once",
    async (signal) => {
      const { connections, pids, log, ended, process: primary } = await start();
      const clients = [...(await connections()).values()];
      const lock = await hold(database, "select from authorizations where id = 'a1' for update");
      const updates = clients.map((client) => update(client, ["auditor"]));
      await lock.untilWaiting(2);
      for (const pid of pids()) process.kill(pid, signal);
      primary.kill(signal);
      await until("it to stop", () => log().some(({ msg }) => msg === "stopping: finishing the requests in flight"));
      for (const again of ["SIGTERM", "SIGINT"] as const) primary.kill(again);
      await lock.rollback();
      expect((await Promise.all(updates)).map(({ status }) => status)).toEqual([200, 200]);
      expect((await ended).code).toBe(0);
      const stopped = log().filter(({ msg }) => /^stop/.test(String(msg)));
      expect(stopped.map(({ msg }) => msg)).toEqual(["stopping: finishing the requests in flight", "stopped"]);
      expect(log().filter(({ msg }) => /died/.test(String(msg)))).toEqual([]);
    },
  );

  test("although a worker doesn't, which is then killed", async () => {
    const { pids, log, ended, process: primary } = await start({ SHUTDOWN_GRACE_MS: "0" });
    const [stuck] = pids() as [number];
    process.kill(stuck, "SIGSTOP");
    primary.kill("SIGTERM");
    expect((await ended).code).toBe(0);
    expect(isAlive(stuck)).toBe(false);
    expect(log().filter(({ workerPid }) => workerPid === stuck)).toMatchObject([
      { msg: "a worker did not stop in time and is killed" },
    ]);
  });

  test("with all workers if its first process is killed", async () => {
    const { pids, ended, process: primary } = await start();
    const all = pids();
    expect(all).toHaveLength(2);
    primary.kill("SIGKILL");
    await ended;
    await until("the workers to end", () => !all.some(isAlive));
  });
});

describe("A server that can't serve ends with the same message as one without workers", () => {
  const problems = async (env: Record<string, string>) => {
    const run = async (workers: string) => {
      const all = { DATABASE_URL: database.url, WORKERS: workers, ...env };
      const { code, stdout, stderr } = await runCommand(["serve"], { env: all });
      const lines = stderr.split("\n").filter((line) => line !== "" && !line.startsWith("{"));
      return { code, stdout, lines };
    };
    const [alone, together] = [await run("1"), await run("2")];
    expect(together).toEqual(alone);
    expect(together).toMatchObject({ code: 1, lines: [expect.any(String)] });
    return together.lines[0];
  };

  test("when the port is taken", async () => {
    const taken = await startHttpServer(() => {});
    const { port: PORT } = new URL(taken.url);
    expect(await problems({ PORT })).toMatch(/^127\.0\.0\.1:\d+ is already in use: choose another port/);
    await taken.stop();
  });

  test("when the certificate, the host or the database can't be used", async () => {
    const file = import.meta.filename;
    const noCertificate = { PORT: "0", TLS_CERT_FILE: file, TLS_KEY_FILE: file };
    expect(await problems(noCertificate)).toMatch(/^TLS_CERT_FILE: must hold a certificate/);
    expect(await problems({ PORT: "0", HOST: "192.0.2.1" })).toMatch(/^The server can't listen on HOST and PORT/);
    const nowhere = databaseUrl(database.url, "nowhere");
    expect(await problems({ PORT: "0", DATABASE_URL: nowhere })).toMatch(/^DATABASE_URL cannot be used/);
  });
});

test("Only a server starts workers", async () => {
  const { code, stderr } = await runCommand(["worker"], { env: {} });
  expect([code, stderr]).toEqual([1, "Only a server starts workers: set WORKERS, and run serve.\n"]);
  const { stdout } = await runCommand(["--help"], { env: {} });
  expect(stdout).not.toContain("worker");
});

test("A server without WORKERS has no other processes", async () => {
  const alone = startInTest(["serve"], { env: { DATABASE_URL: database.url, PORT: "0" } });
  await alone.until("stderr", /Server listening at/);
  expect(workersOf(alone.process.pid)).toEqual([]);
  await stop(alone);
});
