import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { openEmbeddedPostgres } from "../../src/embedded/embedded-postgres.ts";
import { readPostmasterFile } from "../../src/embedded/postmaster-file.ts";
import { migrate } from "../../src/postgres/migrations/migrations.ts";
import { scratchFolder } from "./cluster.ts";
import { useDatabase } from "./database.ts";
import { until } from "./until.ts";

export type OwnPostgres = Awaited<ReturnType<typeof startOwnPostgres>>;

/** A Postgres that a test may harm. */
export async function startOwnPostgres(settings: Record<string, string> = {}) {
  const dataDirectory = await mkdtemp(join(await scratchFolder(), "authorization-own-"));
  const postgres = await openEmbeddedPostgres({
    dataDirectory,
    owner: { kind: "server" },
    settings: { fsync: "off", ...settings },
    say: () => {},
  });
  const host = encodeURIComponent(postgres.socketDirectory);
  const url = `postgresql:///postgres?host=${host}&port=${postgres.port}&user=postgres`;
  await migrate({ connectionString: url });
  const database = useDatabase(url, async () => {});
  const cluster = join(dataDirectory, "postgres", "cluster");

  let ended: number | undefined;

  return {
    database,
    /** Where it keeps its files. */
    dataDirectory,
    cluster,
    /** How to connect as its superuser. */
    connection: { host: postgres.socketDirectory, port: postgres.port, user: "postgres", database: "postgres" },
    /** Ends it, as a crash or an operator does it. Its supervisor starts it again. */
    async end(signal: "SIGKILL" | "SIGINT") {
      ended = await mainProcess(cluster);
      process.kill(ended, signal);
    },
    pause: () => haltAll(cluster),
    /** Resolves when new connections are answered, by another process than the one that was ended last. */
    async untilAnswering() {
      await until("Postgres to answer", async () => {
        const file = await readPostmasterFile(cluster);
        if (file === undefined || file.pid === ended) return false;
        return database.query("select").then(
          () => true,
          () => false,
        );
      });
    },
    async stop() {
      await database.drop();
      await postgres.stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** The process of a running Postgres that starts all the others. */
export async function mainProcess(cluster: string): Promise<number> {
  const file = await readPostmasterFile(cluster);
  if (file === undefined) throw new Error("Postgres is not running");
  return file.pid;
}

/** Halts all processes of a Postgres where they are, and returns what lets them go on. */
export async function haltAll(cluster: string): Promise<() => void> {
  const main = await mainProcess(cluster);
  // The main process first: it would take a halted child for a broken one when it is asked for a new one.
  sendSignal(main, "SIGSTOP");
  const halted = [main, ...(await childrenOf(main))];
  for (const pid of halted) sendSignal(pid, "SIGSTOP");
  return () => {
    for (const pid of halted.toReversed()) sendSignal(pid, "SIGCONT");
  };
}

/** False if there is no such process any more. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
    throw error;
  }
}

export async function childrenOf(pid: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid="]);
  return stdout
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .map(([child]) => child ?? 0);
}
