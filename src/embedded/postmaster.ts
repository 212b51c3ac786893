import { setTimeout as sleep } from "node:timers/promises";
import { cannotRun } from "./cannot-run.ts";
import type { Home } from "./home.ts";
import { isPostgresOf, readPostmasterFile } from "./postmaster-file.ts";
import { lastLines, startWatched, type WatchedProcess } from "./watchdog.ts";

/** How long the child processes of a killed Postgres may take to end. */
const remainsGoAwayWithinMs = 30_000;
const slowStartMs = 5_000;
const fastStopWithinMs = 20_000;

/** Resolves once Postgres accepts connections, however long recovery after a crash takes. Only the owner may call this. */
export async function startPostmaster(
  home: Home,
  command: readonly string[],
  say: (message: string) => void,
): Promise<WatchedProcess> {
  const since = Date.now();
  for (;;) {
    const previous = await stopPrevious(home.cluster, say);
    // Tells Postgres that the process in its lock file is not another Postgres, even if there is a process with that
    // number. It may be a zombie, or an unrelated process, because containers use the same few numbers after each
    // start. Postgres still refuses to start while any process uses the shared memory of the old one.
    const running = await startWatched(["env", `PG_GRANDPARENT_PID=${previous}`, ...command], home);
    const slow = setTimeout(() => say(`PostgreSQL is still starting; it writes to ${home.log}`), slowStartMs);
    const isReady = await becomesReady(home.cluster, running);
    clearTimeout(slow);
    if (isReady) return running;
    const end = `PostgreSQL ${await running.ended}. ${await lastLines(home.log)}`;
    if (!end.includes("pre-existing shared memory block") || Date.now() - since > remainsGoAwayWithinMs) {
      throw cannotRun(end);
    }
    await sleep(250);
  }
}

/**
 * Stops a Postgres whose owner was killed. Returns the process in `postmaster.pid`, which is no Postgres of this cluster
 * any more, or 0 without that file.
 */
async function stopPrevious(cluster: string, say: (message: string) => void): Promise<number> {
  const since = Date.now();
  for (let isFirst = true; ; isFirst = false) {
    const pid = (await readPostmasterFile(cluster))?.pid ?? 0;
    if (!(await isPostgresOf(cluster, pid))) return pid;
    if (isFirst) say(`stopping a PostgreSQL (process ${pid}) that was left running`);
    try {
      // Repeatedly, because a Postgres that has just started misses signals.
      process.kill(pid, Date.now() - since < fastStopWithinMs ? "SIGINT" : "SIGQUIT");
    } catch (error) {
      // It ended just before the signal.
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
    await sleep(50);
  }
}

/** False if it has ended instead. */
async function becomesReady(cluster: string, { pid, ended }: WatchedProcess): Promise<boolean> {
  for (;;) {
    const file = await readPostmasterFile(cluster);
    if (file?.pid === pid && file.status === "ready") return true;
    if ((await Promise.race([ended, sleep(10)])) !== undefined) return false;
  }
}
