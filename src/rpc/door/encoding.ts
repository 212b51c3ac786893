import type { IncomingHttpHeaders } from "node:http";
import { compressionNegotiate } from "@connectrpc/connect/protocol";
import { compressionBrotli, compressionGzip } from "@connectrpc/connect-node";

/** Every set field is written, also when it is empty or zero; a misspelt one and broken UTF-8 are refused. */
export const jsonOptions = {
  alwaysEmitImplicit: true,
  ignoreUnknownFields: false,
  textDecoder: new TextDecoder("utf-8", { fatal: true }),
};

const compressions = [compressionGzip, compressionBrotli];
const none: ReturnType<typeof compressionNegotiate> = { request: null, response: null };

/** How the body of a request is compressed, and how its answer should be; null for not at all. */
export function compressionOf(headers: IncomingHttpHeaders): ReturnType<typeof compressionNegotiate> {
  const { "content-encoding": sent = null, "accept-encoding": accepted = null } = headers;
  return sent === null && accepted === null
    ? none
    : compressionNegotiate(compressions, sent, accepted, "accept-encoding");
}

/** Whether a request is in JSON, and its answer so; otherwise both are in the binary format. */
export function isJson(headers: IncomingHttpHeaders): boolean {
  return headers["content-type"]?.toLowerCase().startsWith("application/json") === true;
}
