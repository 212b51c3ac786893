import type { IncomingHttpHeaders } from "node:http";
import { compressionNegotiate } from "@connectrpc/connect/protocol";
import { compressionBrotli, compressionGzip } from "@connectrpc/connect-node";

/** Writes every set field, even empty ones and zeros. Refuses unknown fields and broken UTF-8. */
export const jsonOptions = {
  alwaysEmitImplicit: true,
  ignoreUnknownFields: false,
  textDecoder: new TextDecoder("utf-8", { fatal: true }),
};

const compressions = [compressionGzip, compressionBrotli];
const none: ReturnType<typeof compressionNegotiate> = { request: null, response: null };

/** The compression of a request's body and of its answer; null for none. */
export function compressionOf(headers: IncomingHttpHeaders): ReturnType<typeof compressionNegotiate> {
  const { "content-encoding": sent = null, "accept-encoding": accepted = null } = headers;
  return sent === null && accepted === null
    ? none
    : compressionNegotiate(compressions, sent, accepted, "accept-encoding");
}

/** Whether a request and its answer are in JSON. Otherwise both are in the binary format. */
export function isJson(headers: IncomingHttpHeaders): boolean {
  return headers["content-type"]?.toLowerCase().startsWith("application/json") === true;
}
