import { Code, ConnectError } from "@connectrpc/connect";
import {
  createAsyncIterable,
  readAllBytes,
  type UniversalHandler,
  type UniversalServerRequest,
  type UniversalServerResponse,
} from "@connectrpc/connect/protocol";
import { errorFromJsonBytes } from "@connectrpc/connect/protocol-connect";
import { errorResponse, plain } from "../door/error-response.ts";
import { misreadField } from "./misread-field.ts";

/**
 * Connect reads a request before any interceptor runs. When it cannot, it says `internal` about broken binary
 * and cut off compression, and does not always say which field of JSON it stumbled over. Both are the caller's
 * mistakes, so they become `invalid_argument`, with the field where there is one.
 */
export function withMalformedRefused(handler: UniversalHandler): UniversalHandler {
  const answer: typeof handler = Object.assign(async (request: UniversalServerRequest) => {
    const read: Uint8Array[] = [];
    const response = await handler({ ...request, body: keeping(read, request.body) });
    if (response.status !== 500 && response.status !== 400) return response;
    return refuseMalformed(response, (message) => nameField(handler, request, read, message));
  }, handler);
  return answer;
}

async function refuseMalformed(
  response: UniversalServerResponse,
  describe: (message: string) => string,
): Promise<UniversalServerResponse> {
  const bytes = await readAllBytes(response.body ?? createAsyncIterable([]), Number.MAX_SAFE_INTEGER);
  const { rawMessage } = errorFromJsonBytes(
    plain(response, bytes),
    undefined,
    new ConnectError("internal error", Code.Internal),
  );
  if (/^(parse binary: |decompression failed$)/.test(rawMessage)) {
    return errorResponse(new ConnectError(shorten(rawMessage), Code.InvalidArgument));
  }
  if (rawMessage.startsWith("cannot decode ")) {
    return errorResponse(new ConnectError(shorten(describe(rawMessage)), Code.InvalidArgument));
  }
  return { ...response, body: createAsyncIterable([bytes]) };
}

/** Messages repeat what was sent, which can be long. */
function shorten(message: string): string {
  return message.length <= 500 ? message : `${message.slice(0, 500).toWellFormed()}…`;
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
