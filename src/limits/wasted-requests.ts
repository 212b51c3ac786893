import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Holder } from "./count.ts";

/** How many requests an address may waste, in how many seconds. */
const most = { points: 200, duration: 2 };
/** How many seconds it is slowed down after the last of those that were too many. */
const slowedFor = 10;

/**
 * Slows down addresses that waste requests: that cancel them before they have a caller, send them too far ahead, or continue
 * when they are refused. The bounds of what may be open don't stop them, because they hold nothing for long.
 */
export function openWastedRequests() {
  const wasted = new RateLimiterMemory(most);
  const connections = new RateLimiterMemory({ points: 1, duration: 1 });
  return {
    /** Counts wasted requests. Resolves to whether they are too many, so their connection must be closed. */
    async waste(holder: Holder, requests: number): Promise<boolean> {
      if (holder === undefined || (await isWithin(wasted, holder, requests))) return false;
      await wasted.block(holder, slowedFor);
      return true;
    },
    async mayConnect(holder: Holder): Promise<boolean> {
      const found = holder === undefined ? null : await wasted.get(holder);
      const isSlowed = found !== null && found.consumedPoints > most.points;
      return holder === undefined || !isSlowed || isWithin(connections, holder, 1);
    },
  };
}

async function isWithin(limiter: RateLimiterMemory, holder: string, points: number): Promise<boolean> {
  return (await limiter.consume(holder, points).catch(() => undefined)) !== undefined;
}
