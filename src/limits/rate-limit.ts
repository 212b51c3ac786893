import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { Refusal } from "../authorization/refusal.ts";

/** How many requests a caller may make in a period. The period begins with the caller's first request. */
export type RateLimit = { readonly requests: number; readonly periodMs: number };

/** Counts a user's request. Throws RATE_LIMITED if it is one too many. */
export type CountRequest = (userId: string) => Promise<void>;

/** Counts in memory, for each process separately, and forgets the counts after a period. */
export function countRequests({ requests, periodMs }: RateLimit): CountRequest {
  const limiter = new RateLimiterMemory({ points: requests, duration: periodMs / 1_000 });
  return async (userId) => {
    try {
      await limiter.consume(userId);
    } catch (over) {
      if (!(over instanceof RateLimiterRes)) throw over;
      const seconds = Math.ceil(over.msBeforeNext / 1_000);
      const message = `more than ${requests} requests in ${periodMs / 1_000} s; try again in ${seconds} s`;
      throw new Refusal("RATE_LIMITED", message, { retryAfterSeconds: String(seconds) });
    }
  };
}
