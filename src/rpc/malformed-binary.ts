import { Code, ConnectError } from "@connectrpc/connect";
import { readAllBytes, type UniversalHandler, type UniversalServerResponse } from "@connectrpc/connect/protocol";
import { errorFromJsonBytes } from "@connectrpc/connect/protocol-connect";
import { errorResponse } from "./error-response.ts";

/**
 * Connect answers `internal` when a binary request cannot be parsed, before any interceptor runs. It is
 * the caller's mistake, so it becomes `invalid_argument`.
 */
export function withMalformedBinaryRefused(handler: UniversalHandler): UniversalHandler {
  const answer: typeof handler = Object.assign(
    async (...[request]: Parameters<UniversalHandler>) => refuseMalformed(await handler(request)),
    handler,
  );
  return answer;
}

async function refuseMalformed(response: UniversalServerResponse): Promise<UniversalServerResponse> {
  if (response.status !== 500 || response.body === undefined) return response;
  const bytes = await readAllBytes(response.body, Number.MAX_SAFE_INTEGER);
  const error = errorFromJsonBytes(bytes, undefined, new ConnectError("internal error", Code.Internal));
  if (!error.rawMessage.startsWith("parse binary: ")) return errorResponse(error);
  return errorResponse(new ConnectError(error.rawMessage, Code.InvalidArgument));
}
