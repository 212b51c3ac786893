import underPressure from "@fastify/under-pressure";
import type { FastifyInstance } from "fastify";
import type { OpenRequest } from "./limits.ts";

/** The average delay of the event loop, in milliseconds, beyond which no more requests are admitted. */
const longestLoopDelayMs = 1_000;

/**
 * Admits only as many requests as can be answered in time. The rest are refused before they are read, which costs next
 * to nothing and leaves the time for the others.
 *
 * @returns a function that gives a request its place. It returns false if there is none.
 */
export async function openAdmission(app: FastifyInstance): Promise<(request: OpenRequest | undefined) => boolean> {
  // The plugin's own responses would have another format, so it only measures.
  await app.register(underPressure, {
    maxEventLoopDelay: longestLoopDelayMs,
    // Long enough that one request that takes long to read doesn't shut out all others.
    sampleInterval: 5_000,
    pressureHandler: () => undefined,
  });
  return (request) => !app.isUnderPressure() && request?.admit() === true;
}
