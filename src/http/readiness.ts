import type { Readiness } from "../rpc/services/health.ts";

/**
 * Whether the server can answer requests, for everyone who asks without credentials. However many ask, Postgres is asked by
 * one of them at a time.
 */
export function openReadiness(ask: () => Promise<boolean>, stopping: AbortSignal): Readiness {
  let asking: Promise<boolean> | undefined;
  return async () => {
    if (stopping.aborted) return false;
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return (await asking) && !stopping.aborted;
  };
}
