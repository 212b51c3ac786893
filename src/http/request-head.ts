import type { IncomingMessage } from "node:http";

/**
 * The reason why a proxy could read the head of a request differently than this server; undefined if there is none.
 * Node's parser accepts such requests, and shows only the first of two equal headers.
 */
export function ambiguityOf({ httpVersion, headers, rawHeaders }: IncomingMessage): string | undefined {
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return "the request line must end in HTTP/1.1 or HTTP/1.0";
  for (const name of ["Host", "Authorization"]) {
    if (countOf(name, rawHeaders) > 1) return `send only one ${name} header`;
  }
  const coding = headers["transfer-encoding"]?.toLowerCase();
  const isReadable = coding === undefined || (coding === "chunked" && httpVersion === "1.1");
  return isReadable ? undefined : "the transfer coding must be chunked, which needs HTTP/1.1";
}

/** @param rawHeaders names and values by turns, as they were sent */
function countOf(name: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index];
    if (sent?.length === name.length && sent.toLowerCase() === name.toLowerCase()) count += 1;
  }
  return count;
}
