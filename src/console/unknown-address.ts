import type { FastifyReply, FastifyRequest } from "fastify";
import type { ConsoleFiles } from "./console-files.ts";

/**
 * Answers a browser at an address that nothing serves with the console's page, which says so. Callers of the API and
 * programs that take anything keep their error in Connect's shape. Says whether it has answered.
 */
export function answerUnknownAddress(
  files: ConsoleFiles | undefined,
  { method, headers }: Pick<FastifyRequest, "method" | "headers">,
  reply: FastifyReply,
): boolean {
  const page = files?.get("/");
  if (page === undefined || !["GET", "HEAD"].includes(method) || !wantsPage(headers.accept)) return false;
  // No one may keep it: there may be something at the address tomorrow.
  reply
    .code(404)
    .headers({ ...page.headers, "cache-control": "no-store" })
    .send(page.plain.body);
  return true;
}

/** Browsers name text/html when a person opens an address. Anything else in the header, such as a wildcard, is no wish for a page. */
function wantsPage(accept = ""): boolean {
  const html = qualityOf("text/html", accept);
  return html > 0 && html >= qualityOf("application/json", accept);
}

/** How much a type is wanted, by RFC 9110, section 12.5.1; 0 when it is not named. */
function qualityOf(type: string, accept: string): number {
  for (const range of accept.toLowerCase().split(",")) {
    const [name, ...parameters] = range.split(";").map((part) => part.trim());
    if (name !== type) continue;
    const quality = parameters.find((parameter) => parameter.startsWith("q="));
    return quality === undefined ? 1 : Number(quality.slice(2)) || 0;
  }
  return 0;
}
