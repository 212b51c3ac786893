import { setTimeout as sleep } from "node:timers/promises";

/** Polls until there is a result that is neither undefined nor false; fails after half a minute, which only a test that hangs takes. */
export async function until<T>(
  what: string,
  poll: () => T | Promise<T>,
  { longestMs = 30_000, everyMs = 10 } = {},
): Promise<Exclude<T, undefined | false>> {
  const giveUpAt = Date.now() + longestMs;
  for (;;) {
    const result = await poll();
    if (result !== undefined && result !== false) return result as Exclude<T, undefined | false>;
    if (Date.now() > giveUpAt) throw new Error(`waited too long for ${what}`);
    await sleep(everyMs);
  }
}
