import type { FastifyRequest } from "fastify";
import type { ConsoleFiles } from "./console-files.ts";

/**
 * The console's page, which says so, if a browser asks for an unknown address. API callers and programs that accept
 * anything still get the error in Connect's format.
 */
export function pageOfUnknownAddress(
  files: ConsoleFiles | undefined,
  { method, headers }: Pick<FastifyRequest, "method" | "headers">,
) {
  const page = files?.get("/");
  // Browsers list text/html when a person opens an address. A wildcard doesn't ask for a page.
  const wantsPage = /(?:^|,)\s*text\/html\s*(?:[;,]|$)/i.test(headers.accept ?? "");
  if (page === undefined || !["GET", "HEAD"].includes(method) || !wantsPage) return undefined;
  // Must not be cached: there may be something at this address tomorrow.
  return { headers: { ...page.headers, "cache-control": "no-store" }, body: page.plain.body };
}
