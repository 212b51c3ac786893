import type { ServerHttp2Stream } from "node:http2";
import underPressure from "@fastify/under-pressure";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Allowance, andThen, type Counting } from "../rpc/door/counting.ts";
import { type TimeLimits, timeOf } from "../rpc/door/deadline.ts";
import { protocolOf } from "../rpc/door/protocols.ts";

/** The queue for Postgres: whether it is full, and how long its first request has waited. */
export type Queue = { readonly full: boolean; readonly waitMs: number };

/** A request waits for Postgres twice, for its caller and for its work, and the work itself takes time, too. */
const shareOfWaiting = 1 / 8;

/** The average delay of the event loop, in milliseconds, beyond which no more requests are admitted. */
const longestLoopDelayMs = 1_000;

/** Refuses at once; answers with a promise only if other processes have to be asked whether there is room. */
type Admit = (request: FastifyRequest, reply: FastifyReply) => boolean | Promise<boolean>;

/**
 * Admits only as many requests as can be answered in time. The rest are refused before they are read, which costs next
 * to nothing and leaves the time for the others.
 *
 * @returns a function that counts a request until its connection is done with the answer. It returns false if there is
 *   no room for the request, or it would wait too long for the time it has.
 */
export async function openAdmission(
  app: FastifyInstance,
  limits: TimeLimits & { readonly maximumInFlight: number },
  queue: () => Queue,
  counting: Counting,
): Promise<Admit> {
  // The plugin's own answers would have another format, so it only measures.
  await app.register(underPressure, {
    maxEventLoopDelay: longestLoopDelayMs,
    // Long enough that one request that takes long to read doesn't shut out all others.
    sampleInterval: 5_000,
    pressureHandler: () => undefined,
  });
  const inFlight = counting.allowance("requests", limits.maximumInFlight);
  return ({ headers }, { raw }) => {
    if (app.isUnderPressure()) return false;
    const { full, waitMs } = queue();
    const timeout = protocolOf(headers["content-type"]).timeout(headers, limits.maximumTimeoutMs);
    const timeoutMs = timeOf(timeout, limits);
    if (full || waitMs > timeoutMs * shareOfWaiting) return false;
    return untilClosed(raw, inFlight);
  };
}

/** Over HTTP/2, the response itself doesn't say so, and has no stream any more in the end. */
function hasGone(raw: FastifyReply["raw"]): boolean {
  if (!("stream" in raw)) return raw.destroyed;
  const stream = raw.stream as ServerHttp2Stream | undefined;
  return stream === undefined || stream.destroyed || stream.closed;
}

function untilClosed(raw: FastifyReply["raw"], inFlight: Allowance): boolean | Promise<boolean> {
  const leave = () => inFlight.give("", 1);
  return andThen(inFlight.take("", 1), (isTaken) => {
    if (!isTaken) return false;
    // The client may have gone while other processes were asked.
    if (hasGone(raw)) leave();
    else raw.once("close", leave);
    return true;
  });
}
