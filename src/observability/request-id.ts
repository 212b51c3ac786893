import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

/**
 * The id that every log line of a request and its answer carry: the caller's own `X-Request-Id`, when it is letters,
 * digits, points and hyphens, 64 at most. Tokens of this service have an underscore, so none gets into a log this way.
 * One made here is random: a number would tell callers how many others there are.
 */
export function requestId(request: IncomingMessage): string {
  const given = request.headers["x-request-id"];
  return typeof given === "string" && wellFormed.test(given) ? given : randomUUID();
}

const wellFormed = /^[A-Za-z0-9.-]{1,64}$/;
