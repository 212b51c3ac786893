import type { LeftOut } from "./replica-status.ts";

/** The result of a trial. */
export type Standing = { readonly leftOut: LeftOut | undefined; readonly cause?: unknown };

/** Knows whether a replica is used, and tries it again and again, so that no request has to find out. */
type Trials = {
  /** Undefined while it is used. */
  leftOut(): LeftOut | undefined;
  leaveOut(reason: LeftOut, cause?: unknown): void;
  close(): void;
};

/** How often a replica is tried, in milliseconds. One that was just left out is tried sooner, and then less and less often. */
const everyMs = { used: 1_000, leftOut: 200, leftOutJustNow: 10 };

/**
 * A replica is left out until its first trial succeeds.
 *
 * @param tryOut resolves to undefined if it can't tell
 */
export function openTrials(
  tryOut: () => Promise<Standing | undefined>,
  onChange: (reason: LeftOut | undefined, cause?: unknown) => void,
): Trials {
  let leftOut: LeftOut | undefined = "starting";
  /** How often it has been left out. A trial that began before the last time says nothing about what came then. */
  let times = 0;
  /** How many trials have failed since it was last used. */
  let failed = 0;
  let next: NodeJS.Timeout | undefined;
  let isTrying = false;
  let isClosed = false;

  function become(reason: LeftOut | undefined, cause?: unknown): void {
    if (reason !== undefined) times += 1;
    if (leftOut === reason) return;
    leftOut = reason;
    onChange(reason, cause);
  }

  function tryAfter(ms: number): void {
    clearTimeout(next);
    if (!isClosed) next = setTimeout(() => void tryNow(), ms).unref();
  }

  function tryAgain(): void {
    tryAfter(leftOut === undefined ? everyMs.used : Math.min(everyMs.leftOut, everyMs.leftOutJustNow * 2 ** failed));
  }

  async function tryNow(): Promise<void> {
    const before = times;
    isTrying = true;
    const standing = await tryOut();
    isTrying = false;
    if (isClosed) return;
    if (standing !== undefined && (standing.leftOut !== undefined || times === before)) {
      become(standing.leftOut, standing.cause);
    }
    failed = leftOut === undefined ? 0 : failed + 1;
    tryAgain();
  }

  tryAfter(0);
  return {
    leftOut: () => leftOut,
    leaveOut(reason, cause) {
      become(reason, cause);
      if (!isTrying) tryAgain();
    },
    close() {
      isClosed = true;
      clearTimeout(next);
    },
  };
}
