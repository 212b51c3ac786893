import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { EmbeddedPostgres, EmbeddedPostgresOptions } from "../../src/embedded/embedded-postgres.ts";
import { until } from "../support/until.ts";

type Report = { opened?: EmbeddedPostgres; said?: string; failed?: string; interrupted?: true };

/** Another process that has the database open. */
export type Holder = {
  readonly pid: number;
  /** Resolves when Postgres can be used, rejects when it failed to open. */
  opened(): Promise<EmbeddedPostgres>;
  failure(): Promise<string>;
  /** All it has told people so far. */
  said(): string[];
  saying(what: RegExp): Promise<string>;
  interrupted(): Promise<true>;
  /** "stop" stops Postgres in order, "exit" just leaves. */
  tell(word: "stop" | "exit"): void;
  readonly exited: Promise<unknown>;
};

const program = fileURLToPath(new URL("./hold-open.ts", import.meta.url));

/** `through` are programs to start it with, `path` replaces where programs are looked for. */
export function hold(
  options: Omit<EmbeddedPostgresOptions, "say">,
  { through = [], path }: { through?: readonly string[]; path?: string } = {},
): Holder {
  const [first = "", ...rest] = [...through, process.execPath, program, JSON.stringify(options)];
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
    opened: async () => {
      const report = await find("opening", (report) => (report.opened || report.failed ? report : undefined));
      if (!report.opened) throw new Error(report.failed);
      return report.opened;
    },
    failure: () => find("failing", (report) => report.failed),
    said: () => reports.flatMap(({ said }) => said ?? []),
    saying: (what) => find(String(what), ({ said }) => (said && what.test(said) ? said : undefined)),
    interrupted: () => find("an interrupt", (report) => report.interrupted),
    tell: (word) => child.stdin.write(`${word}\n`),
    exited,
  };
}
