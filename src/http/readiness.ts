import { setTimeout as sleep } from "node:timers/promises";
import type { Readiness } from "../rpc/services/health.ts";

/** How often a watch asks again, in milliseconds. */
const everyMs = 1_000;

/**
 * Whether the server can answer requests, for everyone who asks without credentials. However many ask or watch, Postgres
 * is asked by one of them at a time.
 */
export function openReadiness(isReady: () => Promise<boolean>, stopping: AbortSignal): Readiness {
  let asking: Promise<boolean> | undefined;
  let latest: { readonly at: number; readonly answer: Promise<boolean> } | undefined;

  function now(): Promise<boolean> {
    if (stopping.aborted) return Promise.resolve(false);
    asking ??= isReady().finally(() => {
      asking = undefined;
    });
    return asking.then((ready) => ready && !stopping.aborted);
  }

  /** The answer to an earlier question, unless it is too old. */
  function lately(): Promise<boolean> {
    if (latest === undefined || performance.now() - latest.at >= everyMs)
      latest = { at: performance.now(), answer: now() };
    return latest.answer;
  }

  return {
    now,

    async *everySecond(signal: AbortSignal): AsyncGenerator<boolean> {
      const wake = AbortSignal.any([signal, stopping]);
      while (true) {
        const ready = !stopping.aborted && (await lately()) && !stopping.aborted;
        signal.throwIfAborted();
        yield ready;
        if (stopping.aborted && !ready) return;
        await sleep(everyMs, undefined, { signal: wake, ref: false }).catch(() => {});
      }
    },
  };
}
