import type { JsonWriteOptions } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { mergeNonProtocolHeaders } from "@connectrpc/connect/protocol";
import {
  codeToHttpStatus,
  contentTypeUnaryJson,
  contentTypeUnaryProto,
  errorToJson,
  trailerMux,
} from "@connectrpc/connect/protocol-connect";
import type { Answer, Call } from "./call.ts";
import { compressionOf } from "./encoding.ts";

/** Turns a handler's answer into the answer for the client. */
export function success(call: Call, body: string | Uint8Array): Answer | Promise<Answer> {
  return finished(call, { status: 200, headers: {}, body }, typeof body === "string");
}

/** Turns an error into the answer for the client. Anything but a Connect error becomes `internal`, without details. */
export function failure(call: Call, thrown: unknown, jsonOptions: Partial<JsonWriteOptions>): Answer | Promise<Answer> {
  const error = thrown instanceof ConnectError ? thrown : new ConnectError("internal error", Code.Internal);
  mergeNonProtocolHeaders(call.responseHeader, error.metadata);
  const body = JSON.stringify(errorToJson(error, jsonOptions));
  return finished(call, { status: codeToHttpStatus(error.code), headers: {}, body, error }, true);
}

/** An error in Connect's format, for answers outside of RPCs. */
export function errorAnswer(error: ConnectError): Answer {
  const body = JSON.stringify(errorToJson(error, undefined));
  const headers = { "content-length": String(Buffer.byteLength(body)), "content-type": contentTypeUnaryJson };
  return { status: codeToHttpStatus(error.code), headers, body, error };
}

/** Shortens a message, because messages can repeat long input. */
export function shorten(message: string): string {
  return message.length <= 500 ? message : `${message.slice(0, 500).toWellFormed()}…`;
}

/** Answers from this size are compressed, in bytes, as in Connect's library. */
const leastToCompress = 1_024;

/** Sorts the headers by name. */
function finished(call: Call, answer: Answer, isJson: boolean): Answer | Promise<Answer> {
  const type = isJson ? contentTypeUnaryJson : contentTypeUnaryProto;
  const length = Buffer.byteLength(answer.body);
  const { response } = compressionOf(call.headers);
  if (response === null || length < leastToCompress) {
    const headers = withAdded(call, { "content-length": String(length), "content-type": type });
    return { ...answer, headers };
  }
  return response.compress(new Uint8Array(Buffer.from(answer.body as string))).then((body) => {
    const coded = {
      "content-encoding": response.name,
      "content-length": String(body.byteLength),
      "content-type": type,
    };
    return { ...answer, headers: withAdded(call, coded), body };
  });
}

function withAdded({ added }: Call, headers: Record<string, string>): Answer["headers"] {
  if (added === undefined) return headers;
  const all = new Headers(added.header);
  for (const [name, value] of Object.entries(headers)) all.set(name, value);
  return Object.fromEntries(trailerMux(all, added.trailer));
}
