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
