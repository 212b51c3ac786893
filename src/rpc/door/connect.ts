import { Code, ConnectError } from "@connectrpc/connect";
import { mergeNonProtocolHeaders } from "@connectrpc/connect/protocol";
import {
  codeToHttpStatus,
  contentTypeUnaryJson,
  contentTypeUnaryProto,
  errorToJson,
  headerProtocolVersion,
  parseTimeout,
  protocolVersion,
  trailerMux,
} from "@connectrpc/connect/protocol-connect";
import type { Answer, Call, Protocol } from "./call.ts";
import { jsonOptions, leastToCompress, negotiated } from "./encoding.ts";

/** The Connect protocol: a body is a message, and errors are JSON with an HTTP status of their own. */
export const connect: Protocol = {
  name: "connect",
  contextName: "connect",
  frames: undefined,
  timeout: (headers, maximumMs) => parseTimeout(headers["connect-timeout-ms"]?.toString() ?? null, maximumMs),
  compressions: (headers) => negotiated(headers["content-encoding"], headers["accept-encoding"], "accept-encoding"),
  requireVersion(headers, mayBeAbsent) {
    const sent = headers["connect-protocol-version"];
    if (sent === protocolVersion || (sent === undefined && mayBeAbsent)) return;
    throw new ConnectError(
      sent === undefined
        ? `missing required header: set ${headerProtocolVersion} to "${protocolVersion}"`
        : `${headerProtocolVersion} must be "${protocolVersion}": got "${sent}"`,
      Code.InvalidArgument,
    );
  },
  success: (call, body) => finished(call, { status: 200, headers: {}, body }, typeof body === "string"),
  failure(call, error, options) {
    mergeNonProtocolHeaders(call.responseHeader, error.metadata);
    const body = JSON.stringify(errorToJson(error, options));
    return finished(call, { status: codeToHttpStatus(error.code), headers: {}, body, error }, true);
  },
  refusal(error, _contentType, httpStatus = codeToHttpStatus(error.code)) {
    const body = JSON.stringify(errorToJson(error, jsonOptions));
    const headers = { "content-length": String(Buffer.byteLength(body)), "content-type": contentTypeUnaryJson };
    return { status: httpStatus, headers: { ...Object.fromEntries(error.metadata), ...headers }, body, error };
  },
};

/** Sorts the headers by name. */
function finished(call: Call, answer: Answer, isJson: boolean): Answer | Promise<Answer> {
  const type = isJson ? contentTypeUnaryJson : contentTypeUnaryProto;
  const length = Buffer.byteLength(answer.body);
  const { response } = call.compressions;
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
