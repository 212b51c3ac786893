import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Holder } from "./count.ts";

/** How many requests an address may waste, in how many seconds; and in each of several processes, at least. */
const most = { requests: 200, seconds: 2, ofWorker: 100 };
/** How many seconds it is slowed down after the last of those that were too many. */
const slowedFor = 10;

/**
 * Slows down addresses that waste requests: that cancel them before they have a caller, send them too far ahead, or continue
 * when they are refused. The bounds of what may be open don't stop them, because they hold nothing for long.
 */
export function openWastedRequests(workers: number) {
  const points = Math.max(Math.ceil(most.requests / workers), most.ofWorker);
  const wasted = new RateLimiterMemory({ points, duration: most.seconds });
  const connections = new RateLimiterMemory({ points: 1, duration: workers });
  const isSlowed = async (holder: string) => ((await wasted.get(holder))?.consumedPoints ?? 0) > points;
  return {
    /** Counts wasted requests. Resolves to whether they are too many, so their connection must be closed. */
    async waste(holder: Holder, requests: number): Promise<boolean> {
      if (holder === undefined) return false;
      const wasSlowed = await isSlowed(holder);
      if (await isWithin(wasted, holder, requests)) return false;
      await wasted.block(holder, slowedFor);
      // Others of its connections are open already, and wait to be read.
      if (!wasSlowed) await isWithin(connections, holder, 1);
      return true;
    },
    async mayConnect(holder: Holder): Promise<boolean> {
      return holder === undefined || !(await isSlowed(holder)) || isWithin(connections, holder, 1);
    },
  };
}

async function isWithin(limiter: RateLimiterMemory, holder: string, points: number): Promise<boolean> {
  return (await limiter.consume(holder, points).catch(() => undefined)) !== undefined;
}
