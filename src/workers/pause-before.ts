/** A worker that lived this long, in milliseconds, is replaced at once again. */
const soundMs = 60_000;

const firstPauseMs = 100;
const longestPauseMs = 10_000;

/**
 * How long to wait before a dead worker is replaced, in milliseconds: not at all the first time, and longer each time if
 * the next ones keep dying.
 *
 * @param died how many have died in a row before it
 */
export function pauseBefore(died: number, livedMs: number): { pauseMs: number; deathsInRow: number } {
  const before = livedMs >= soundMs ? 0 : died;
  const pauseMs = before === 0 ? 0 : Math.min(longestPauseMs, firstPauseMs * 2 ** (before - 1));
  return { pauseMs, deathsInRow: before + 1 };
}
