import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

/**
 * The id in every log line of a request and in its answer: the caller's `X-Request-Id` if it is at most 64 letters,
 * digits, points and hyphens. Tokens of this service contain an underscore, so none gets into the log this way. A new
 * id is random, because a counter would tell callers how many other requests there are.
 */
export function requestId(request: IncomingMessage): string {
  const given = request.headers["x-request-id"];
  return typeof given === "string" && wellFormed.test(given) ? given : randomUUID();
}

const wellFormed = /^[A-Za-z0-9.-]{1,64}$/;
