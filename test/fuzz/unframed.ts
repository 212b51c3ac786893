import { gunzipSync } from "node:zlib";
import { Code } from "@connectrpc/connect";
import { codeToHttpStatus, codeToString } from "@connectrpc/connect/protocol-connect";
import { findTrailerError } from "@connectrpc/connect/protocol-grpc";
import { framesIn, webTrailers } from "../support/frames.ts";
import type { Answer } from "./answers.ts";

/** An answer in gRPC-Web as the same answer in Connect, so that one judge judges both; or what is wrong with it. */
export function unframed(answer: Answer): Answer | string {
  const type = answer.headers.get("content-type") ?? "";
  const [, codec] = /^application\/grpc-web\+(proto|json)$/.exec(type) ?? [];
  if (codec === undefined) return /^application\/grpc/.test(type) ? `the content type ${type}` : answer;
  if (answer.status !== 200) return `${answer.status} with ${type}`;
  try {
    const trailers = webTrailers(answer.body);
    const status = trailers.get("grpc-status") ?? "none";
    const messages = framesIn(answer.body).slice(0, -1);
    if (messages.length !== (status === "0" ? 1 : 0)) return `${messages.length} messages with grpc-status ${status}`;
    const [message] = messages;
    const headers = new Map([...answer.headers, ["content-type", `application/${codec}`]]);
    headers.delete("content-length");
    if (message === undefined) return asError(trailers, headers);
    if (message.flags > 1) return `a message with the flags ${message.flags}`;
    return { status: 200, headers, body: message.flags === 1 ? gunzipSync(message.data) : message.data };
  } catch (error) {
    return `no gRPC-Web: ${error}`;
  }
}

function asError(trailers: Headers, headers: Map<string, string>): Answer | string {
  const error = findTrailerError(trailers);
  if (error === undefined || !(error.code in Code)) return `grpc-status ${trailers.get("grpc-status")}`;
  if (error.rawMessage !== decodeURIComponent(trailers.get("grpc-message") ?? "")) return "two different messages";
  const details = error.details.map((detail) => {
    const { type, value } = detail as { type: string; value: Uint8Array };
    const debug = type === "google.rpc.ErrorInfo" ? { reason: reasonIn(value) } : {};
    return { type, value: Buffer.from(value).toString("base64"), debug };
  });
  const body = {
    code: codeToString(error.code),
    message: error.rawMessage,
    ...(details.length > 0 && { details }),
  };
  const all = [...headers, ...trailers, ["content-type", "application/json"]] as [string, string][];
  return { status: codeToHttpStatus(error.code), headers: new Map(all), body: Buffer.from(JSON.stringify(body)) };
}

/** The first field of an ErrorInfo. */
function reasonIn(value: Uint8Array): string {
  return Buffer.from(value.subarray(2, 2 + (value[1] ?? 0))).toString();
}
