import { readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { openHome } from "../../src/embedded/home.ts";
import { joinRunning } from "../../src/embedded/join-running.ts";
import { currentOwner } from "../../src/embedded/ownership.ts";
import { lookUpProcess } from "../../src/embedded/process-facts.ts";
import { waitForOwner } from "../../src/embedded/wait-for-owner.ts";
import { until } from "../support/until.ts";
import { hold } from "./holder.ts";
import { newDataDirectory, open, postmastersOf, query, settings, usedDataDirectory } from "./place.ts";
import { processFrom, stranger, zombie } from "./process-from.ts";

const server = { kind: "server" } as const;
const command = (name: string) => ({ kind: "command", name }) as const;

test("a command joins the database of a server and leaves it running", async () => {
  const dataDirectory = await usedDataDirectory();
  const owner = hold({ dataDirectory, settings, owner: server });
  await owner.opened();
  const [postmaster] = postmastersOf(dataDirectory);
  const guest = await open({ dataDirectory, owner: command("export") });
  expect(guest.joined).toBe(true);
  expect(await query(guest, "select 1 one")).toEqual([{ one: 1 }]);
  await guest.stop();
  expect(postmastersOf(dataDirectory)).toEqual([postmaster]);
  owner.tell("stop");
  await owner.exited;
  expect(postmastersOf(dataDirectory)).toEqual([]);
});

test("a second server is refused, by the process and the data directory", async () => {
  const dataDirectory = await usedDataDirectory();
  const owner = hold({ dataDirectory, settings, owner: server });
  await owner.opened();
  await expect(open({ dataDirectory, owner: server })).rejects.toThrow(
    `${dataDirectory} is in use by the server (process ${owner.pid})`,
  );
});

test("a server waits for a command to finish, says so once, and then starts", async () => {
  const dataDirectory = await usedDataDirectory();
  const owner = hold({ dataDirectory, settings, owner: command("import") });
  await query(await owner.opened(), "create table kept as select 42 answer");
  const said: string[] = [];
  const opening = open({ dataDirectory, owner: server, say: (message) => said.push(message) });
  await until("the message", () => said.length > 0);
  owner.tell("stop");
  const opened = await opening;
  expect(said).toEqual([`waiting for \`import\` (process ${owner.pid}) to finish`]);
  expect(opened.joined).toBe(false);
  expect(await query(opened, "select answer from kept")).toEqual([{ answer: 42 }]);
});

test("a command that stops lets those that joined it finish, and those that come then wait for their turn", async () => {
  const dataDirectory = await usedDataDirectory();
  const owner = hold({ dataDirectory, settings, owner: command("import") });
  await owner.opened();
  const guest = await open({ dataDirectory, owner: command("export") });
  expect(guest.joined).toBe(true);
  owner.tell("stop");
  await owner.saying(/^waiting for `export` \(process \d+\) to finish$/);
  const late = open({ dataDirectory, owner: command("events") });
  // A new connection, as a pool opens it whenever it needs one.
  expect(await query(guest, "select 1 one")).toEqual([{ one: 1 }]);
  await guest.stop();
  await owner.exited;
  expect(owner.said()).toHaveLength(1);
  const next = await late;
  expect(next.joined).toBe(false);
  expect(await query(next, "select 1 one")).toEqual([{ one: 1 }]);
});

test("no one joins an owner that has begun to stop, whether it is known before or only on a second look", async () => {
  const dataDirectory = await usedDataDirectory();
  await open({ dataDirectory, owner: command("import") });
  const home = await openHome(dataDirectory);
  const owner = await until("the owner", () => currentOwner(home.folder));
  expect(await joinRunning(home, { ...owner, state: "stopping" }, "export")).toBe(undefined);
  writeFileSync(path.join(home.folder, "owner.1.json"), JSON.stringify({ ...owner, state: "stopping" }));
  expect(await joinRunning(home, owner, "export")).toBe(undefined);
  expect(readdirSync(home.folder).filter((name) => name.startsWith("guest"))).toEqual([]);
});

test("a command does not wait for a guest that was killed", async () => {
  const dataDirectory = await usedDataDirectory();
  const owner = await open({ dataDirectory, owner: command("import") });
  const guest = hold({ dataDirectory, settings, owner: command("export") });
  expect(await guest.opened()).toMatchObject({ joined: true });
  process.kill(guest.pid, "SIGKILL");
  await guest.exited;
  await owner.stop();
  expect(postmastersOf(dataDirectory)).toEqual([]);
});

test("a command that comes while a server stops gets a database of its own", async () => {
  const dataDirectory = await usedDataDirectory();
  const owner = await open({ dataDirectory, owner: server });
  const stopping = owner.stop();
  const home = path.join(dataDirectory, "postgres");
  await until("the stop to be announced", async () => (await currentOwner(home))?.state !== "running");
  const opened = await open({ dataDirectory, owner: command("export") });
  await stopping;
  expect(opened.joined).toBe(false);
  expect(await query(opened, "select 1 one")).toEqual([{ one: 1 }]);
});

test("of commands that start at the same moment on nothing, one makes the database and the others join", async () => {
  const dataDirectory = newDataDirectory();
  const holders = ["one", "two", "three"].map((name) => hold({ dataDirectory, settings, owner: command(name) }));
  const all = await Promise.all(holders.map((holder) => holder.opened()));
  expect(all.map(({ joined }) => joined).sort()).toEqual([false, true, true]);
  for (const opened of all) expect(await query(opened, "select 1 one")).toEqual([{ one: 1 }]);
  expect(postmastersOf(dataDirectory)).toHaveLength(1);
  expect(readdirSync(path.join(dataDirectory, "postgres")).filter((name) => name.startsWith("cluster"))).toEqual([
    "cluster",
  ]);
});

test("of two servers that start at the same moment on nothing, one is refused", async () => {
  const dataDirectory = newDataDirectory();
  const holders = [1, 2].map(() => hold({ dataDirectory, settings, owner: server }));
  const outcomes = await Promise.allSettled(holders.map((holder) => holder.opened()));
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test.each([
  ["a process that got the number of a dead owner", stranger, "another time"],
  ["a zombie", zombie, undefined],
])("%s does not count as the owner", async (_, script, started) => {
  const dataDirectory = await usedDataDirectory();
  const home = path.join(dataDirectory, "postgres");
  const pid = await processFrom(script);
  const dead = { pid, started: started ?? (await lookUpProcess(pid))?.started, kind: "server", state: "running" };
  writeFileSync(path.join(home, "owner.7.json"), JSON.stringify(dead));
  const opened = await open({ dataDirectory, owner: server });
  expect(opened.joined).toBe(false);
  expect(readdirSync(home).filter((name) => name.startsWith("owner"))).toEqual(["owner.8.json"]);
});

test("who is waited for is said once, and a server that was just killed gets a moment to be gone", async () => {
  const said: string[] = [];
  const waitFor = waitForOwner((message) => said.push(message));
  const owner = { pid: 7, started: "then", kind: "command", name: "import", state: "running" } as const;
  for (let rounds = 0; rounds < 3; rounds++) await waitFor(owner, "server", "/data");
  expect(said).toEqual(["waiting for `import` (process 7) to finish"]);
  await waitFor({ ...owner, pid: 8, kind: "server" }, "server", "/data");
});
