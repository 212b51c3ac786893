import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { until } from "../support/until.ts";
import { heldDirectory, hold } from "./holder.ts";
import {
  command,
  newDataDirectory,
  open,
  postmastersOf,
  processesOf,
  query,
  usedDataDirectory,
  watchdogsOf,
} from "./place.ts";
import { processFrom, stranger, zombie } from "./process-from.ts";

const killAll = (pids: readonly number[]) => pids.map((pid) => process.kill(pid, "SIGKILL"));
const pidsOf = (found: readonly { pid: number }[]) => found.map(({ pid }) => pid);

test("when Node is killed, Postgres stops even with clients connected", async () => {
  const { dataDirectory, owner, opened } = await heldDirectory();
  const sleeping = query(opened, "select pg_sleep(60)").catch((error: Error) => error.message);
  const asleep = "select from pg_stat_activity where wait_event = 'PgSleep'";
  await until("the client to be served", async () => (await query(opened, asleep)).length === 1);
  killAll([owner.pid]);
  expect(await sleeping).toMatch(/administrator command/);
  await until("Postgres and its watchdog to end", () => processesOf(dataDirectory).length === 0);
});

test("when Node leaves without stopping Postgres, Postgres stops", async () => {
  const { dataDirectory, owner } = await heldDirectory(command("import"));
  owner.tell("exit");
  await owner.exited;
  await until("Postgres and its watchdog to end", () => processesOf(dataDirectory).length === 0);
});

test("when Postgres dies first, its watchdog ends too", async () => {
  const { dataDirectory, owner } = await heldDirectory(command("import"));
  expect(watchdogsOf(dataDirectory)).toHaveLength(1);
  killAll(pidsOf(postmastersOf(dataDirectory)));
  await until("the watchdog to end", () => watchdogsOf(dataDirectory).length === 0);
  expect(pidsOf(processesOf(dataDirectory))).toContain(owner.pid);
});

test("Ctrl-C in the terminal reaches Node and not Postgres, which then stops in order", async () => {
  const { dataDirectory, owner, opened } = await heldDirectory();
  const before = await query(opened, "select pg_postmaster_start_time()");
  process.kill(-owner.pid, "SIGINT");
  await owner.interrupted();
  expect(await query(opened, "select pg_postmaster_start_time()")).toEqual(before);
  owner.tell("stop");
  await owner.exited;
  expect(postmastersOf(dataDirectory)).toEqual([]);
});

test.each([
  ["Node", ["owner"]],
  ["Node and Postgres", ["owner", "postmaster"]],
  ["Node, its watchdog and Postgres", ["owner", "watchdog", "postmaster"]],
] as const)("after kill -9 of %s the next one opens, and nothing that was acknowledged is lost", async (_, killed) => {
  const { dataDirectory, owner, opened } = await heldDirectory();
  await query(opened, "create table kept (number int)");
  for (const number of [1, 2, 3]) await query(opened, `insert into kept values (${number})`);
  const pids = {
    owner: [owner.pid],
    watchdog: pidsOf(watchdogsOf(dataDirectory)),
    postmaster: pidsOf(postmastersOf(dataDirectory)),
  };
  killAll(killed.flatMap((who) => pids[who]));
  const next = await open({ dataDirectory });
  expect(await query(next, "select number from kept order by number")).toEqual([1, 2, 3].map((number) => ({ number })));
});

test("a Postgres whose owner and watchdog were killed is stopped by the next one", async () => {
  const { dataDirectory, owner, opened } = await heldDirectory();
  await query(opened, "create table kept as select 42 answer");
  const [orphan] = postmastersOf(dataDirectory);
  killAll([...pidsOf(watchdogsOf(dataDirectory)), owner.pid]);
  await owner.exited;
  expect(postmastersOf(dataDirectory)).toEqual([orphan]);
  const said: string[] = [];
  const next = await open({ dataDirectory, say: (message) => said.push(message) });
  expect(said).toEqual([`stopping a PostgreSQL (process ${orphan?.pid}) that was left running`]);
  expect(postmastersOf(dataDirectory)).not.toContainEqual(orphan);
  expect(await query(next, "select answer from kept")).toEqual([{ answer: 42 }]);
});

test("being killed while making the cluster leaves nothing that disturbs the next one", async () => {
  const dataDirectory = newDataDirectory();
  const home = path.join(dataDirectory, "postgres");
  const owner = hold({ dataDirectory });
  await until("initdb to write", () => existsSync(home) && readdirSync(home).some((name) => name.includes("draft-")));
  killAll([owner.pid]);
  const leftover = path.join(home, "cluster.draft-of-one-killed-with-its-watchdog");
  mkdirSync(leftover);
  writeFileSync(path.join(leftover, "PG_VERSION"), "18");
  const next = await open({ dataDirectory });
  expect(await query(next, "select 1 one")).toEqual([{ one: 1 }]);
  expect(readdirSync(home).filter((name) => name.startsWith("cluster"))).toEqual(["cluster"]);
});

test.each([
  ["a stranger", stranger],
  ["a zombie", zombie],
])("%s that has the number of a dead Postgres is not in the way", async (_, script) => {
  const dataDirectory = await usedDataDirectory();
  const file = await leaveStaleFile(dataDirectory, await processFrom(script));
  const before = Date.now();
  const next = await open({ dataDirectory });
  expect(await query(next, "select 1 one")).toEqual([{ one: 1 }]);
  expect(readFileSync(file, "utf8").split("\n")[0]).toBe(String(postmastersOf(dataDirectory)[0]?.pid));
  expect(Date.now() - before).toBeLessThan(5_000);
});

/** What a killed Postgres leaves, with another process's number. */
async function leaveStaleFile(dataDirectory: string, pid: number): Promise<string> {
  const file = path.join(dataDirectory, "postgres", "cluster", "postmaster.pid");
  const owner = await open({ dataDirectory });
  const lines = readFileSync(file, "utf8").split("\n");
  await owner.stop();
  writeFileSync(file, [pid, ...lines.slice(1)].join("\n"), { mode: 0o600 });
  return file;
}
