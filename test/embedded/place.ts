import { chmodSync, cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type pg from "pg";
import { afterAll, expect, onTestFinished } from "vitest";
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  openEmbeddedPostgres,
} from "../../src/embedded/embedded-postgres.ts";
import { allProcesses } from "../support/processes.ts";
import { until } from "../support/until.ts";
import { withClient } from "../support/with-client.ts";

/** A data directory for one test. In the end no process may be left that has to do with it. */
export function newDataDirectory(): string {
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), "embedded-test-")));
  chmodSync(directory, 0o755);
  used.set(directory, expect.getState().currentTestName ?? "");
  return path.join(directory, "data");
}

/** By directory, the test that used it. */
const used = new Map<string, string>();

// All at the end, because what a killed process leaves is stopping while the next test runs.
afterAll(async () => {
  for (const [directory, name] of used) {
    await until(`all processes of "${name}" to end`, () => processesOf(directory).length === 0);
    rmSync(directory, { recursive: true, force: true });
  }
});

/** The same with a cluster that was made before, for tests that are not about the first run. */
export async function usedDataDirectory(): Promise<string> {
  usedCluster ??= makeUsedCluster();
  const from = await usedCluster;
  const dataDirectory = newDataDirectory();
  cpSync(from, path.join(dataDirectory, "postgres", "cluster"), { recursive: true, preserveTimestamps: true });
  for (const folder of [dataDirectory, path.join(dataDirectory, "postgres")]) chmodSync(folder, 0o700);
  return dataDirectory;
}

let usedCluster: Promise<string> | undefined;

async function makeUsedCluster(): Promise<string> {
  const dataDirectory = mkdtempSync(path.join(tmpdir(), "embedded-used-"));
  const opened = await openEmbeddedPostgres({ dataDirectory, owner: server, settings, say: () => {} });
  await opened.stop();
  return path.join(dataDirectory, "postgres", "cluster");
}

afterAll(async () => {
  const cluster = await usedCluster;
  if (cluster !== undefined) rmSync(path.resolve(cluster, "../.."), { recursive: true, force: true });
});

/** Faster than what people get, and not safe against power cuts; killing processes needs no fsync. */
export const settings = { fsync: "off" };

export const server = { kind: "server" } as const;
export const command = (name: string) => ({ kind: "command", name }) as const;

/** Opens in this process, as a server unless told otherwise; the end of the test stops it. */
export async function open(
  options: Pick<EmbeddedPostgresOptions, "dataDirectory"> & Partial<EmbeddedPostgresOptions>,
): Promise<EmbeddedPostgres> {
  const opened = await openEmbeddedPostgres({ owner: server, settings, say: () => {}, ...options });
  onTestFinished(() => opened.stop());
  return opened;
}

/** Runs one statement on a connection of its own. */
export async function query<Row extends pg.QueryResultRow>(at: EmbeddedPostgres, text: string): Promise<Row[]> {
  const connection = { host: at.socketDirectory, port: at.port, user: "postgres", database: "postgres" };
  return withClient(connection, async (client) => (await client.query<Row>(text)).rows);
}

type Found = { readonly pid: number; readonly command: string };

/** Processes that name a directory in their command, this one excepted. */
export function processesOf(directory: string): Found[] {
  return allProcesses().filter(({ pid, command }) => pid !== process.pid && command.includes(directory));
}

/** The main process of the Postgres of a data directory. */
export function postmastersOf(dataDirectory: string): Found[] {
  const named = allProcesses().filter(
    ({ command }) => /^\S*\/bin\/postgres -D/.test(command) && command.includes(dataDirectory),
  );
  // One that it has just begun bears its name until it takes its own.
  const found = named.filter(({ parent }) => !named.some(({ pid }) => pid === parent));
  return found.map(({ pid, command }) => ({ pid, command }));
}

/** The shells that stop Postgres when its owner is gone. */
export function watchdogsOf(dataDirectory: string): Found[] {
  return processesOf(dataDirectory).filter(({ command }) => command.startsWith("sh -c"));
}
