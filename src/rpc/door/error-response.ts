import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { ConnectError } from "@connectrpc/connect";
import { createAsyncIterable, type UniversalServerResponse } from "@connectrpc/connect/protocol";
import { codeToHttpStatus, errorToJsonBytes } from "@connectrpc/connect/protocol-connect";

/** An error in Connect's shape, for answers that are given outside of an RPC. */
export function errorResponse(
  error: ConnectError,
): Required<Pick<UniversalServerResponse, "status" | "header" | "body">> {
  const body = errorToJsonBytes(error, undefined);
  const header = new Headers({ "content-type": "application/json", "content-length": String(body.byteLength) });
  return { status: codeToHttpStatus(error.code), header, body: createAsyncIterable([body]) };
}

/** The bytes of an answer as they are read: Connect compresses long ones, as the client accepts it. */
export function plain(response: UniversalServerResponse, bytes: Uint8Array): Uint8Array {
  const encoding = response.header?.get("content-encoding") ?? "identity";
  return encoding === "gzip" ? gunzipSync(bytes) : encoding === "br" ? brotliDecompressSync(bytes) : bytes;
}
