import { setTimeout as sleep } from "node:timers/promises";
import type { Account } from "./account.ts";
import { cannotRun } from "./cannot-run.ts";
import type { Home } from "./home.ts";
import { lastLines, prepareLog } from "./log.ts";
import { readPostmasterFile } from "./postmaster-file.ts";
import { retirePrevious } from "./retire-previous.ts";
import { startWatched, type WatchedProcess } from "./watchdog.ts";

/** Postgres' main process, started by this process and ready. */
export type Postmaster = {
  /** Resolves to a text for people about how it ended. */
  readonly ended: Promise<string>;
  /** Fast disconnects all clients. Smart waits until the clients have disconnected. */
  stop(how: "smart" | "fast", say: (message: string) => void): Promise<void>;
};

/** Postgres' message when remains of a killed one are in the way. These disappear after a while. */
const heldByRemains = /lock file ".*" already exists|pre-existing shared memory block/;
const remainsGoAwayWithinMs = 30_000;
const retryEveryMs = 250;

const announceSlowStartAfterMs = 5_000;
const smartStopWithinMs = 10_000;
const fastStopWithinMs = 60_000;

/** Resolves once Postgres accepts connections, however long recovery after a crash takes. */
export async function startPostmaster(
  home: Home,
  account: Account,
  postgres: readonly string[],
  say: (message: string) => void,
): Promise<Postmaster> {
  const command = account.wrap(postgres);
  const giveUpAt = Date.now() + remainsGoAwayWithinMs;
  for (;;) {
    const dead = await retirePrevious(home.cluster, say);
    const logged = await prepareLog(home.log, account);
    const running = await startWatched(dead === undefined ? command : ignoring(dead, command), {
      cwd: home.folder,
      log: home.log,
    });
    if (await becomesReady(home, running, say)) {
      return { ended: running.ended, stop: (how, say) => stopPostmaster(running, how, say) };
    }
    const lines = await lastLines(home.log, logged);
    if (!heldByRemains.test(lines) || Date.now() > giveUpAt) {
      throw cannotRun(`PostgreSQL ${running.end()}. The end of ${home.log}:\n${lines}`);
    }
    await sleep(retryEveryMs);
  }
}

/**
 * Tells Postgres that the process in its lock file is not another Postgres, even if there is a process with that
 * number. It may be a zombie, or an unrelated process, because containers use the same few numbers after each start.
 * Postgres still refuses to start while any process uses the shared memory of the old one. `pg_ctl` uses the same
 * variable.
 */
function ignoring(pid: number, command: readonly string[]): readonly string[] {
  return ["env", `PG_GRANDPARENT_PID=${pid}`, ...command];
}

async function becomesReady(home: Home, running: WatchedProcess, say: (message: string) => void): Promise<boolean> {
  const startedAt = Date.now();
  let announced = false;
  while (running.end() === undefined) {
    const file = await readPostmasterFile(home.cluster);
    if (file?.pid === running.pid && file.status === "ready") return true;
    if (!announced && Date.now() - startedAt > announceSlowStartAfterMs) {
      announced = true;
      say(`PostgreSQL is still starting; it writes to ${home.log}`);
    }
    await sleep(10);
  }
  return false;
}

async function stopPostmaster(
  running: WatchedProcess,
  how: "smart" | "fast",
  say: (message: string) => void,
): Promise<void> {
  if (running.end() !== undefined) return;
  running.holdNodeOpen();
  if (how === "smart") {
    running.signal("SIGTERM");
    if (await endsWithin(smartStopWithinMs, running)) return;
    say("disconnecting the clients that are still using PostgreSQL");
  }
  running.signal("SIGINT");
  if (await endsWithin(fastStopWithinMs, running)) return;
  say(
    `PostgreSQL has not stopped in ${fastStopWithinMs / 1000} seconds: ending it now; it will recover at the next start`,
  );
  running.signal("SIGQUIT");
  await running.ended;
}

async function endsWithin(ms: number, running: WatchedProcess): Promise<boolean> {
  const timer = new AbortController();
  const late = sleep(ms, false, { signal: timer.signal }).catch(() => false);
  const ended = await Promise.race([running.ended.then(() => true), late]);
  timer.abort();
  return ended;
}
