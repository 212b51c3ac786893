import underPressure from "@fastify/under-pressure";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type TimeLimits, timeoutOf } from "../rpc/door/deadline.ts";

/** What is waiting for Postgres: whether that is all that may, and how long the first of it has waited. */
export type Queue = { readonly full: boolean; readonly waitMs: number };

/** A request waits for Postgres twice, for its caller and for its work, and the work needs its time too. */
const shareOfWaiting = 1 / 8;

/** What the event loop may be late on average before nothing more is let in, in milliseconds. */
const longestLoopDelayMs = 1_000;

/**
 * Lets in no more requests than can be answered in time. The rest is refused before anything of it is read, which costs
 * next to nothing, so that the time is left for those that are in.
 *
 * @returns counts a request until its connection is done with the answer; false when there is no room for it, or it
 *   would wait too long for the time it has
 */
export async function openAdmission(
  app: FastifyInstance,
  limits: TimeLimits & { readonly maximumInFlight: number },
  queue: () => Queue,
): Promise<(request: FastifyRequest, reply: FastifyReply) => boolean> {
  // Its own answers would have another shape, so it is only asked.
  await app.register(underPressure, {
    maxEventLoopDelay: longestLoopDelayMs,
    // Long enough that a single request that takes long to read does not shut out all others.
    sampleInterval: 5_000,
    pressureHandler: () => undefined,
  });
  let inFlight = 0;
  return ({ headers }, reply) => {
    if (app.isUnderPressure()) return false;
    const { full, waitMs } = queue();
    const timeoutMs = timeoutOf(headers["connect-timeout-ms"], limits);
    if (inFlight >= limits.maximumInFlight || full || waitMs > timeoutMs * shareOfWaiting) return false;
    inFlight += 1;
    reply.raw.once("close", () => {
      inFlight -= 1;
    });
    return true;
  };
}
