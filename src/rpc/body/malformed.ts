import { Code, ConnectError } from "@connectrpc/connect";
import type { UniversalHandler, UniversalServerRequest, UniversalServerResponse } from "@connectrpc/connect/protocol";
import { errorFromJsonBytes } from "@connectrpc/connect/protocol-connect";
import { errorResponse, readErrorResponse, shorten } from "../door/error-response.ts";
import type { Step } from "../door/step.ts";
import { misreadField } from "./misread-field.ts";

/**
 * Connect reads a request before any interceptor runs. When it cannot, it says `internal` about broken binary
 * and cut off compression, and does not always say which field of JSON it stumbled over. Both are the caller's
 * mistakes, so they become `invalid_argument`, with the field where there is one.
 */
export const refuseMalformed: Step = (rpc) => async (request, next) => {
  const read: Uint8Array[] = [];
  const answer = await next({ ...request, body: keeping(read, request.body) });
  if (answer.status !== 500 && answer.status !== 400) return answer;
  const { json, response } = await readErrorResponse(answer);
  const { rawMessage } = errorFromJsonBytes(json, undefined, new ConnectError("internal error", Code.Internal));
  if (/^(parse binary: |decompression failed$)/.test(rawMessage)) return malformed(rawMessage);
  if (rawMessage.startsWith("cannot decode ")) return malformed(nameField(rpc, request, read, rawMessage));
  return response;
};

function malformed(message: string): UniversalServerResponse {
  return errorResponse(new ConnectError(shorten(message), Code.InvalidArgument));
}

function nameField(
  { method }: UniversalHandler,
  { header }: UniversalServerRequest,
  read: Uint8Array[],
  message: string,
): string {
  // Of what nests too deep no single field is to blame.
  if (/maximum recursion depth/.test(message)) return message;
  if ((header.get("content-encoding") ?? "identity") !== "identity") return message;
  const field = misreadField(method.input, Buffer.concat(read).toString());
  return field === "" ? message : `${field}: ${message}`;
}

/** The same body; what has been read of it stays at hand. */
function keeping(read: Uint8Array[], body: UniversalServerRequest["body"]): UniversalServerRequest["body"] {
  if (typeof body !== "object" || body === null || !(Symbol.asyncIterator in body)) return body;
  return (async function* () {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      read.push(chunk);
      yield chunk;
    }
  })();
}
