import { join } from "node:path";
import { readPostmasterFile } from "../../src/embedded/postmaster-file.ts";
import { migrate } from "../../src/postgres/migrations/migrations.ts";
import { useDatabase } from "./database.ts";
import { childrenOf, sendSignal } from "./processes.ts";
import { openScratchPostgres } from "./scratch-postgres.ts";
import { until } from "./until.ts";

export type OwnPostgres = Awaited<ReturnType<typeof startOwnPostgres>>;

/** A Postgres that a test may harm. */
export async function startOwnPostgres(settings: Record<string, string> = {}) {
  const { url, dataDirectory, connection, stop } = await openScratchPostgres({ fsync: "off", ...settings }, () => {});
  await migrate({ connectionString: url });
  const database = useDatabase(url, async () => {});
  const cluster = join(dataDirectory, "postgres", "cluster");

  let ended: number | undefined;

  return {
    ...{ database, url, dataDirectory, connection, cluster },
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
      await stop();
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
  const halted = [main, ...childrenOf(main)];
  for (const pid of halted) sendSignal(pid, "SIGSTOP");
  return () => {
    for (const pid of halted.toReversed()) sendSignal(pid, "SIGCONT");
  };
}
