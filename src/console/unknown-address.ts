import type { FastifyReply, FastifyRequest } from "fastify";
import type { ConsoleFiles } from "./console-files.ts";

/**
 * If a browser asks for an unknown address, answers with the console's page, which says so. API callers and programs
 * that accept anything still get the error in Connect's format. Returns whether it has answered.
 */
export function answerUnknownAddress(
  files: ConsoleFiles | undefined,
  { method, headers }: Pick<FastifyRequest, "method" | "headers">,
  reply: FastifyReply,
): boolean {
  const page = files?.get("/");
  if (page === undefined || !["GET", "HEAD"].includes(method) || !wantsPage(headers.accept)) return false;
  // Must not be cached: there may be something at this address tomorrow.
  reply
    .code(404)
    .headers({ ...page.headers, "cache-control": "no-store" })
    .send(page.plain.body);
  return true;
}

/** Browsers list text/html when a person opens an address. A wildcard doesn't ask for a page. */
function wantsPage(accept = ""): boolean {
  return /(?:^|,)\s*text\/html\s*(?:[;,]|$)/i.test(accept);
}
