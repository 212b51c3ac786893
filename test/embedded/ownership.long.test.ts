import { readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { readPostmasterFile } from "../../src/embedded/postmaster-file.ts";
import { until } from "../support/until.ts";
import { heldDirectory, hold } from "./holder.ts";
import { command, newDataDirectory, open, postmastersOf, query, server, usedDataDirectory } from "./place.ts";

test("a command joins the database of a server and leaves it running", async () => {
  const { dataDirectory, owner } = await heldDirectory();
  const [postmaster] = postmastersOf(dataDirectory);
  const joined = await open({ dataDirectory, owner: command("export") });
  expect(await query(joined, "select 1 one")).toEqual([{ one: 1 }]);
  await joined.stop();
  expect(postmastersOf(dataDirectory)).toEqual([postmaster]);
  owner.tell("stop");
  await owner.exited;
  expect(postmastersOf(dataDirectory)).toEqual([]);
});

test("a second server is refused, by the process and the data directory", async () => {
  const { dataDirectory, owner } = await heldDirectory();
  await expect(open({ dataDirectory })).rejects.toThrow(
    `${dataDirectory} is in use by the server (process ${owner.pid})`,
  );
});

test.each([
  ["a server", server],
  ["a command", command("export")],
])("%s waits for a command to finish, says so once, and then starts", async (_, next) => {
  const { dataDirectory, owner, opened } = await heldDirectory(command("import"));
  await query(opened, "create table kept as select 42 answer");
  const said: string[] = [];
  const opening = open({ dataDirectory, owner: next, say: (message) => said.push(message) });
  await until("the message", () => said.length > 0);
  owner.tell("stop");
  expect(await query(await opening, "select answer from kept")).toEqual([{ answer: 42 }]);
  expect(said).toEqual([`waiting for \`import\` (process ${owner.pid}) to finish`]);
});

test("a command waits for a server whose Postgres is not ready, and says so", async () => {
  const { dataDirectory, owner } = await heldDirectory();
  const [postmaster] = postmastersOf(dataDirectory);
  // No other one is started while it is halted.
  process.kill(owner.pid, "SIGSTOP");
  process.kill(postmaster?.pid ?? 0, "SIGKILL");
  await until("Postgres to die", () => postmastersOf(dataDirectory).length === 0);
  const said: string[] = [];
  const opening = open({ dataDirectory, owner: command("export"), say: (message) => said.push(message) });
  await until("the message", () => said.length > 0);
  process.kill(owner.pid, "SIGCONT");
  expect(await query(await opening, "select 1 one")).toEqual([{ one: 1 }]);
  expect(said).toEqual([`waiting for the server (process ${owner.pid}) to start PostgreSQL`]);
});

test("a command that comes while a server stops gets a database of its own", async () => {
  const dataDirectory = await usedDataDirectory();
  const owner = await open({ dataDirectory });
  const stopping = owner.stop();
  const cluster = path.join(dataDirectory, "postgres", "cluster");
  await until("Postgres to stop", async () => (await readPostmasterFile(cluster))?.status !== "ready");
  const opened = await open({ dataDirectory, owner: command("export") });
  await stopping;
  expect(await query(opened, "select 1 one")).toEqual([{ one: 1 }]);
});

test("commands that start at the same moment on nothing make one database, and use it in turn", async () => {
  const dataDirectory = newDataDirectory();
  const holders = ["one", "two", "three"].map((name) => hold({ dataDirectory, owner: command(name) }));
  const all = holders.map(async (holder) => {
    const opened = await holder.opened();
    expect(postmastersOf(dataDirectory)).toHaveLength(1);
    await query(opened, `create table made_by_${holder.pid} ()`);
    holder.tell("stop");
    await holder.exited;
  });
  await Promise.all(all);
  const opened = await open({ dataDirectory });
  const tables = await query(opened, "select from pg_tables where tablename like 'made_by_%'");
  expect(tables).toHaveLength(3);
  const made = readdirSync(path.join(dataDirectory, "postgres")).filter((name) => name.startsWith("cluster"));
  expect(made).toEqual(["cluster"]);
});

test("of two servers that start at the same moment on nothing, one is refused", async () => {
  const dataDirectory = newDataDirectory();
  const holders = [1, 2].map(() => hold({ dataDirectory }));
  const outcomes = await Promise.allSettled(holders.map((holder) => holder.opened()));
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("what an owner said of itself before it was killed is in nobody's way", async () => {
  const dataDirectory = await usedDataDirectory();
  const note = { name: "the server (process 7)", isServer: true };
  writeFileSync(path.join(dataDirectory, "postgres", "owner.json"), JSON.stringify(note));
  const opened = await open({ dataDirectory });
  expect(await query(opened, "select 1 one")).toEqual([{ one: 1 }]);
});
