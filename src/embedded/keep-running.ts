import { setTimeout as sleep } from "node:timers/promises";
import type { Postmaster } from "./postmaster.ts";

const shortestPauseMs = 250;
const longestPauseMs = 10_000;
/** A Postgres that ran for this long did not die because of the way it was started. */
const healthyAfterMs = 60_000;

/**
 * Restarts Postgres whenever it dies, with longer pauses if it keeps dying. Returns the function that stops it for
 * good.
 */
export function keepRunning(
  first: Postmaster,
  startOne: () => Promise<Postmaster>,
  say: (message: string) => void,
): () => Promise<void> {
  const stopping = new AbortController();
  const stopRequested = new Promise<undefined>((resolve) => {
    stopping.signal.addEventListener("abort", () => resolve(undefined));
  });
  const supervision = supervise();
  return () => {
    stopping.abort();
    return supervision;
  };

  async function supervise(): Promise<void> {
    let postmaster: Postmaster | undefined = first;
    let pauseMs = shortestPauseMs;
    while (postmaster) {
      const startedAt = Date.now();
      const end = await Promise.race([postmaster.ended, stopRequested]);
      if (end === undefined || stopping.signal.aborted) return postmaster.stop("fast", say);
      say(`PostgreSQL ${end}; restarting it`);
      pauseMs = Date.now() - startedAt > healthyAfterMs ? shortestPauseMs : Math.min(pauseMs * 2, longestPauseMs);
      postmaster = await startAgain(pauseMs);
    }
  }

  /** Undefined if it was told to stop in the meantime. */
  async function startAgain(pauseMs: number): Promise<Postmaster | undefined> {
    for (let pause = pauseMs; ; ) {
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return undefined;
      try {
        return await startOne();
      } catch (error) {
        pause = Math.min(pause * 2, longestPauseMs);
        say(`${(error as Error).message}\nTrying again in ${pause / 1000} seconds.`);
      }
    }
  }
}
