import type pg from "pg";
import { asRefusal, unavailable } from "./failures.ts";
import { NoOwnSessions, requireOwnSessions } from "./own-sessions.ts";

/** Tracks whether the connections of this process keep their sessions. While in doubt, no request gets a connection. */
export type Doubts = {
  /** Raises a doubt. The sessions are then checked until the check succeeds. */
  raise(): void;
  /** Undefined if there is no doubt. Otherwise resolves when the check succeeds, and rejects when it fails. */
  settled(): Promise<void> | undefined;
  /** How often the check has failed. Connections opened before its last failure must not be used any more. */
  failures(): number;
};

/** How long the result of a failed check is used before the next request starts another check, in milliseconds. */
const countsMs = 500;

/** @param tell called with the reason when service stops, and with undefined when it resumes */
export function openDoubts(connection: pg.ClientConfig, tell: (problem: Error | undefined) => void): Doubts {
  let checking: Promise<void> | undefined;
  let failed: { readonly error: unknown; readonly at: number } | undefined;
  let failures = 0;

  async function check(): Promise<void> {
    try {
      await requireOwnSessions(connection);
      if (failed !== undefined) tell(undefined);
      failed = undefined;
    } catch (error) {
      if (failed === undefined) tell(error as Error);
      const refusal = error instanceof NoOwnSessions ? unavailable(error) : asRefusal(error);
      failed = { error: refusal, at: performance.now() };
      failures += 1;
      throw refusal;
    } finally {
      checking = undefined;
    }
  }

  function raise(): void {
    checking ??= handled(check());
  }

  return {
    raise,
    settled() {
      if (checking !== undefined || failed === undefined) return checking;
      if (performance.now() - failed.at < countsMs) return handled(Promise.reject(failed.error));
      raise();
      return checking;
    },
    failures: () => failures,
  };
}

/** Prevents an unhandled rejection: all who waited may have given up. */
function handled(promise: Promise<void>): Promise<void> {
  promise.catch(() => {});
  return promise;
}
