import { setTimeout as sleep } from "node:timers/promises";
import type { Readiness } from "../rpc/services/health.ts";

/** How often a watch looks for a change, in milliseconds. */
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
    if (stopping.aborted) return now();
    if (latest === undefined || performance.now() - latest.at >= everyMs)
      latest = { at: performance.now(), answer: now() };
    return latest.answer;
  }

  return {
    now,

    /** Whether it is ready at first, and again after each change. Ends when the server stops. */
    async *changes(signal: AbortSignal): AsyncGenerator<boolean> {
      const wake = AbortSignal.any([signal, stopping]);
      let told: boolean | undefined;
      while (true) {
        const ready = (await lately()) && !stopping.aborted;
        signal.throwIfAborted();
        if (ready !== told) yield ready;
        told = ready;
        if (stopping.aborted && !ready) return;
        await sleep(everyMs, undefined, { signal: wake, ref: false }).catch(() => {});
      }
    },
  };
}
