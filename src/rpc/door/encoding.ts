import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { compressionNegotiate, type UniversalServerResponse } from "@connectrpc/connect/protocol";
import { compressionBrotli, compressionGzip } from "@connectrpc/connect-node";

/** Every set field is written, also when it is empty or zero; a misspelt one and broken UTF-8 are refused. */
export const jsonOptions = {
  alwaysEmitImplicit: true,
  ignoreUnknownFields: false,
  textDecoder: new TextDecoder("utf-8", { fatal: true }),
};

const compressions = [compressionGzip, compressionBrotli];

/** How the body of a request is compressed, and how its answer should be; null for not at all. */
export function compressionOf(header: Headers) {
  return compressionNegotiate(
    compressions,
    header.get("content-encoding"),
    header.get("accept-encoding"),
    "accept-encoding",
  );
}

/** The bytes of an answer as they are read: Connect compresses long ones, as the client accepts it. */
export function plain(response: UniversalServerResponse, bytes: Uint8Array): Uint8Array {
  const encoding = response.header?.get("content-encoding") ?? "identity";
  return encoding === "gzip" ? gunzipSync(bytes) : encoding === "br" ? brotliDecompressSync(bytes) : bytes;
}
