import { setTimeout as sleep } from "node:timers/promises";
import type { WatchedProcess } from "./watchdog.ts";

/**
 * Restarts Postgres whenever it dies, with longer pauses while it can't start. Returns the function that stops it for
 * good.
 */
export function keepRunning(
  first: WatchedProcess,
  startOne: () => Promise<WatchedProcess>,
  say: (message: string) => void,
): () => Promise<void> {
  const stopping = new AbortController();
  let current: Promise<WatchedProcess | undefined> = Promise.resolve(first);
  void supervise();
  return async () => {
    stopping.abort();
    await (await current)?.stop();
  };

  async function supervise(): Promise<void> {
    for (let postmaster = await current; postmaster; postmaster = await current) {
      const end = await postmaster.ended;
      if (stopping.signal.aborted) return;
      say(`PostgreSQL ${end}; restarting it`);
      current = startAgain();
    }
  }

  /** Undefined if it was told to stop in the meantime. */
  async function startAgain(): Promise<WatchedProcess | undefined> {
    for (let pauseMs = 500; ; pauseMs = Math.min(pauseMs * 2, 8_000)) {
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return undefined;
      try {
        return await startOne();
      } catch (error) {
        say(`${(error as Error).message}\nTrying again in a few seconds.`);
      }
    }
  }
}
