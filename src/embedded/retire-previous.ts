import { setTimeout as sleep } from "node:timers/promises";
import { cannotRun } from "./cannot-run.ts";
import { answers, readPostmasterFile } from "./postmaster-file.ts";
import { lookUpProcess, type ProcessFacts } from "./process-facts.ts";

/** How long the watchdog of a killed owner may take to stop its Postgres. After that, there is no watchdog. */
const watchdogActsWithinMs = 1_000;
const fastStopWithinMs = 20_000;
const giveUpAfterMs = 30_000;

/**
 * Makes sure that no earlier Postgres runs in the cluster, and stops one whose owner and watchdog were killed. Only the
 * owner may call this, so a running Postgres has no other owner. Returns the process in `postmaster.pid` if that
 * process is certainly not a Postgres.
 */
export async function retirePrevious(cluster: string, say: (message: string) => void): Promise<number | undefined> {
  const since = Date.now();
  let sent: "SIGINT" | "SIGQUIT" | undefined;
  for (;;) {
    const file = await readPostmasterFile(cluster);
    if (!file) return undefined;
    const facts = await lookUpProcess(file.pid);
    if (!facts || isNoPostgres(facts)) {
      if (await answers(file)) {
        throw cannotRun(`another PostgreSQL answers in ${file.socketDirectory}, probably in another container.`);
      }
      return file.pid;
    }
    // The Postgres of another cluster has that number by chance, or the paths have changed: Postgres itself decides.
    if (!facts.command.includes(`postgres -D ${cluster} `)) return undefined;
    const waited = Date.now() - since;
    if (waited > giveUpAfterMs) throw cannotRun(`process ${file.pid}, left from an earlier run, does not stop.`);
    if (!sent && waited > watchdogActsWithinMs && file.status !== "stopping") {
      say(`stopping a PostgreSQL (process ${file.pid}) that was left running`);
      sent = "SIGINT";
      stop(file.pid, sent);
    } else if (sent !== "SIGQUIT" && waited > fastStopWithinMs) {
      sent = "SIGQUIT";
      stop(file.pid, sent);
    }
    await sleep(50);
  }
}

function isNoPostgres(facts: ProcessFacts): boolean {
  return facts.zombie || !facts.command.includes("postgres");
}

function stop(pid: number, signal: "SIGINT" | "SIGQUIT"): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It ended just before the signal.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
