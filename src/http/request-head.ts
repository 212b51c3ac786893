import type { IncomingMessage } from "node:http";

/**
 * The reason why a proxy could read the head of a request differently than this server; undefined if there is none.
 * Node's parser accepts such requests, and shows only the first of two equal headers.
 */
export function ambiguityOf({ httpVersion, headers, headersDistinct }: IncomingMessage): string | undefined {
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return "the request line must end in HTTP/1.1 or HTTP/1.0";
  for (const name of ["Host", "Authorization"]) {
    const found = headersDistinct[name.toLowerCase()] ?? [];
    if (found.length > 1) return `send only one ${name} header`;
  }
  const coding = headers["transfer-encoding"]?.toLowerCase();
  const isReadable = coding === undefined || (coding === "chunked" && httpVersion === "1.1");
  return isReadable ? undefined : "the transfer coding must be chunked, which needs HTTP/1.1";
}
