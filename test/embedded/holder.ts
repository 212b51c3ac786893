import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { EmbeddedPostgres, EmbeddedPostgresOptions } from "../../src/embedded/embedded-postgres.ts";
import { until } from "../support/until.ts";
import { server, settings, usedDataDirectory } from "./place.ts";

type Report = { opened?: EmbeddedPostgres; failed?: string; interrupted?: true };

const program = fileURLToPath(new URL("./hold-open.ts", import.meta.url));

/** Opens a used data directory in another process, as a server unless told otherwise. */
export async function heldDirectory(owner: EmbeddedPostgresOptions["owner"] = server) {
  const dataDirectory = await usedDataDirectory();
  const holder = hold({ dataDirectory, owner });
  return { dataDirectory, owner: holder, opened: await holder.opened() };
}

/** Another process that has the database open. `through` are programs to start it with, `path` replaces where programs are looked for. */
export function hold(
  given: Pick<EmbeddedPostgresOptions, "dataDirectory"> & Partial<EmbeddedPostgresOptions>,
  { through = [], path }: { through?: readonly string[]; path?: string } = {},
) {
  const options = JSON.stringify({ owner: server, settings, ...given });
  const [first = "", ...rest] = [...through, process.execPath, program, options];
  const env = path === undefined ? process.env : { ...process.env, PATH: path };
  const child = spawn(first, rest, { stdio: ["pipe", "pipe", "inherit"], detached: true, env });
  const exited = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  const reports: Report[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => reports.push(JSON.parse(line)));
  const find = <T>(what: string, pick: (report: Report) => T | undefined) =>
    until(what, () => reports.map(pick).find((found) => found !== undefined));
  return {
    pid: child.pid ?? 0,
    /** Resolves when Postgres can be used, rejects when it failed to open. */
    opened: async () => {
      const report = await find("opening", (report) => (report.opened || report.failed ? report : undefined));
      if (!report.opened) throw new Error(report.failed);
      return report.opened;
    },
    failure: () => find("failing", (report) => report.failed),
    interrupted: () => find("an interrupt", (report) => report.interrupted),
    /** "stop" stops Postgres in order, "exit" just leaves. */
    tell: (word: "stop" | "exit") => child.stdin.write(`${word}\n`),
    exited,
  };
}
