import type { ConnectError } from "@connectrpc/connect";
import { createAsyncIterable, readAllBytes, type UniversalServerResponse } from "@connectrpc/connect/protocol";
import { codeToHttpStatus, errorToJsonBytes } from "@connectrpc/connect/protocol-connect";
import { plain } from "./encoding.ts";

/** An error in Connect's shape, for answers that are given outside of an RPC. */
export function errorResponse(
  error: ConnectError,
): Required<Pick<UniversalServerResponse, "status" | "header" | "body">> {
  const body = errorToJsonBytes(error, undefined);
  const header = new Headers({ "content-type": "application/json", "content-length": String(body.byteLength) });
  return { status: codeToHttpStatus(error.code), header, body: createAsyncIterable([body]) };
}

/** Messages repeat what was sent, which can be long. */
export function shorten(message: string): string {
  return message.length <= 500 ? message : `${message.slice(0, 500).toWellFormed()}…`;
}

/** The JSON of an error response, and the response to answer with, because a body can be read only once. */
export async function readErrorResponse(
  response: UniversalServerResponse,
): Promise<{ json: Uint8Array; response: UniversalServerResponse }> {
  const bytes = await readAllBytes(response.body ?? createAsyncIterable([]), Number.MAX_SAFE_INTEGER);
  return { json: plain(response, bytes), response: { ...response, body: createAsyncIterable([bytes]) } };
}
