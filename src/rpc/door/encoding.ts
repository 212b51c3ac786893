import { compressionNegotiate } from "@connectrpc/connect/protocol";
import { compressionBrotli, compressionGzip } from "@connectrpc/connect-node";

/** Writes every set field, even empty ones and zeros. Refuses unknown fields and broken UTF-8. */
export const jsonOptions = {
  alwaysEmitImplicit: true,
  ignoreUnknownFields: false,
  textDecoder: new TextDecoder("utf-8", { fatal: true }),
};

/** The compression of a request's messages and of those in its answer; null for none. */
export type Compressions = ReturnType<typeof compressionNegotiate>;

const compressions = [compressionGzip, compressionBrotli];
const none: Compressions = { request: null, response: null };

/**
 * Chooses compressions by two headers of a request.
 *
 * @param acceptName the name of the second one, which an error repeats
 */
export function negotiated(
  sent: string | string[] | undefined,
  accepted: string | string[] | undefined,
  acceptName: string,
): Compressions {
  return sent === undefined && accepted === undefined
    ? none
    : compressionNegotiate(compressions, sent?.toString() ?? null, accepted?.toString() ?? null, acceptName);
}

/** Messages from this size are compressed, in bytes, as in Connect's library. */
export const leastToCompress = 1_024;

/** Whether messages are in JSON. Otherwise they are in the binary format. */
export function isJson(contentType: string | undefined): boolean {
  return contentType !== undefined && /^application\/(?:grpc(?:-web)?\+)?json/i.test(contentType);
}
