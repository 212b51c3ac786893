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

/**
 * Browsers send text/html when a person opens an address. Anything else in the header, such as a wildcard, doesn't ask
 * for a page.
 */
function wantsPage(accept = ""): boolean {
  const html = qualityOf("text/html", accept);
  return html > 0 && html >= qualityOf("application/json", accept);
}

/** The quality value of a type (RFC 9110, section 12.5.1); 0 if it is not listed. */
function qualityOf(type: string, accept: string): number {
  for (const range of accept.toLowerCase().split(",")) {
    const [name, ...parameters] = range.split(";").map((part) => part.trim());
    if (name !== type) continue;
    const quality = parameters.find((parameter) => parameter.startsWith("q="));
    return quality === undefined ? 1 : Number(quality.slice(2)) || 0;
  }
  return 0;
}
