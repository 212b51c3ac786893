import type pg from "pg";
import { asRefusal, unavailable } from "./failures.ts";
import { NoOwnSessions, requireOwnSessions } from "./own-sessions.ts";

/** Whether the connections of this process keep their sessions. While that is in doubt, no request gets a connection. */
export type Doubts = {
  /** Something looked as if they did not: this is checked now, and from then on until the check succeeds. */
  raise(): void;
  /** Undefined when there is no doubt. Otherwise resolves when the check succeeds, and rejects when it fails. */
  settled(): Promise<void> | undefined;
  /** How often the check has failed. What was opened before its last failure must not be used any more. */
  failures(): number;
};

/** How long a failed check counts before the next request begins another one, in milliseconds. */
const countsMs = 500;

/** @param tell hears why service ends, and undefined when it resumes */
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

/** Those that wait may have given up already. */
function handled(promise: Promise<void>): Promise<void> {
  promise.catch(() => {});
  return promise;
}
