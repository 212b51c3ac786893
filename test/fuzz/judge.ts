import { gunzipSync } from "node:zlib";
import { type DescMessage, fromBinary, fromJson, type Message, toBinary } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { codeToHttpStatus, codeToString } from "@connectrpc/connect/protocol-connect";
import { DirectoryService } from "../../gen/service/directory/v1/directory_service_pb.ts";
import type { Answer } from "./answers.ts";
import { readRequest, unexpectedRows } from "./expected.ts";
import { refusalOfHead } from "./heads.ts";
import { type Call, type Input, sentBy } from "./input.ts";
import { methods } from "./requests.ts";
import { shownInside } from "./shown-inside.ts";
import { unframed } from "./unframed.ts";

/** What an answer says, for the summary, and what is wrong with it. */
export type Verdict = { readonly code: string; readonly problem: string | undefined };

/**
 * Judges one answer (docs/reference/transport.md and errors.md).
 *
 * @param isWorldAsMade whether the world is what it was in the beginning, so that it is known what lists hold
 */
export function judge(input: Input, sent: Answer, isWorldAsMade: boolean): Verdict {
  const answer = unframed(sent);
  if (typeof answer === "string") return { code: "?", problem: answer };
  const body = decompressed(answer);
  if (body === undefined) return { code: "?", problem: "the body is not compressed as it says" };
  const problemOfHead = unlikeItsHead(input, answer);
  if (problemOfHead !== undefined) return { code: "?", problem: problemOfHead };
  if (answer.status === 200) return { code: "ok", problem: problemOfSuccess(input, answer, body, isWorldAsMade) };
  const error = parsed(body);
  const code = typeof error?.code === "string" ? error.code : "?";
  return { code, problem: problemOfError(input, answer, body, error) };
}

/** Whether a single request was refused for its head, as it should be or should not. */
function unlikeItsHead(input: Input, { status, headers }: Answer): string | undefined {
  if (input.stream !== undefined || (input.answers !== 1 && input.answers !== "some")) return undefined;
  const expected = refusalOfHead(sentBy(input));
  if (expected === 400 && (status < 400 || (input.keepsAlive && status !== 431 && status !== 400))) {
    return `${status} for a request that could mean two things`;
  }
  // What had accidents may have become several requests.
  if (!input.keepsAlive) return undefined;
  if (expected === 400 && headers.get("connection") !== "close") return "the connection of such a request goes on";
  if (expected === 404 && ![400, 404, 431].includes(status)) return `${status} where nothing is served`;
  return undefined;
}

function decompressed({ headers, body }: Answer): Buffer | undefined {
  try {
    const encoding = headers.get("content-encoding") ?? "identity";
    if (encoding === "gzip") return gunzipSync(body);
    return encoding === "identity" ? body : undefined;
  } catch {
    return undefined;
  }
}

function problemOfSuccess(input: Input, answer: Answer, body: Buffer, isWorldAsMade: boolean): string | undefined {
  if (input.isHead) return undefined;
  const type = answer.headers.get("content-type") ?? "";
  const { call } = input;
  if (call === undefined && /^\{"status":"(alive|ready)"\}$/.test(body.toString())) return undefined;
  if (type !== `application/${call?.codec ?? "json"}` && (call !== undefined || type !== "application/proto")) {
    return `200 with the content type ${type}`;
  }
  // What became of a request with accidents is not known, but an answer is one of some RPC.
  const possible = call === undefined ? methods : [call.method];
  const read = possible.map(({ output }) => strictly(output, type, body));
  const message = read.find((each) => typeof each !== "string");
  if (message === undefined) return String(read[0]);
  return call === undefined ? undefined : unexpectedRows(call, message as Message, isWorldAsMade);
}

/** The message, or why it is none. */
function strictly(schema: DescMessage, type: string, body: Buffer): Message | string {
  try {
    if (type === "application/json") {
      return fromJson(schema, JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)));
    }
    const message = fromBinary(schema, body);
    const isAll = message.$unknown === undefined && Buffer.from(toBinary(schema, message)).equals(body);
    return isAll ? message : `the answer holds more than a ${schema.typeName}`;
  } catch (error) {
    return `the answer is no ${schema.typeName}: ${error}`;
  }
}

const statuses = new Map(
  Object.values(Code)
    .filter((code) => typeof code === "number")
    .map((code) => [codeToString(code), codeToHttpStatus(code)]),
);

/** The codes that HTTP's own refusals carry. */
const transport = new Map([
  [404, "unimplemented"],
  [405, "unimplemented"],
  [415, "unimplemented"],
  [408, "deadline_exceeded"],
  [431, "resource_exhausted"],
  [505, "unimplemented"],
]);

const never = new Set(["internal", "unknown", "data_loss", "canceled"]);

/** What an error may hold at most, and times what was sent, which some errors repeat. */
const [largestError, mostRepeated] = [131_072, 8];

type ConnectError = { code?: unknown; message?: unknown; details?: unknown };

function problemOfError(
  input: Input,
  { status, headers }: Answer,
  body: Buffer,
  error: ConnectError | undefined,
): string | undefined {
  if (status < 400) return `status ${status}`;
  if (headers.get("content-type") !== "application/json") return `an error of type ${headers.get("content-type")}`;
  // As gRPC prescribes.
  if (status === 500 && /"received compressed envelope, but/.test(body.toString())) return undefined;
  if (status === 500) return "status 500";
  const head = headOf(input);
  if (status === 501 && !/^(content-encoding:|content-type: *application\/grpc)/im.test(head)) {
    return "501 without a compression or frames";
  }
  if (status === 504 && !/^(connect-timeout-ms|grpc-timeout):/im.test(head)) return "504 without a deadline";
  if (input.isHead) return undefined;
  if (error === undefined || !hasShape(error)) return "an error that has not Connect's shape";
  const code = error.code as string;
  if (statuses.get(code) !== status && transport.get(status) !== code) return `${code} with status ${status}`;
  if (never.has(code)) return `the code ${code}`;
  const isOverload = /"reason":"OVERLOADED"/.test(body.toString());
  if (status === 503 && !isOverload) return "503 for another reason than overload";
  if (isOverload && !headers.has("retry-after")) return "overload without Retry-After";
  if (input.keepsAlive && isMisjudged(input.call, code)) return `refused as ${code}, though the request is not valid`;
  if (body.length > largestError + mostRepeated * sentBy(input).length) return `an error of ${body.length} bytes`;
  return shownInside(body.toString(), sentBy(input), input.plain ?? input.call?.plain);
}

/**
 * What is not valid is refused for that, before anything else but the credentials and the load is looked at; and before
 * a request about the directory is read, whether the caller may do anything there.
 */
function isMisjudged(call: Call | undefined, code: string): boolean {
  if (call === undefined || ["invalid_argument", "unauthenticated", "unavailable"].includes(code)) return false;
  if (code === "permission_denied" && call.method.parent === DirectoryService) return false;
  return typeof readRequest(call) === "string";
}

function hasShape({ code, message, details, ...more }: ConnectError): boolean {
  if (!statuses.has(code as string) || typeof message !== "string" || message === "") return false;
  if (Object.keys(more).length > 0) return false;
  return details === undefined || (Array.isArray(details) && details.length > 0 && details.every(isDetail));
}

function isDetail(detail: unknown): boolean {
  if (typeof detail !== "object" || detail === null) return false;
  const { type, value, debug, ...more } = detail as Record<string, unknown>;
  const isKnown = type === "google.rpc.ErrorInfo" || type === "buf.validate.Violations";
  return isKnown && typeof value === "string" && typeof debug === "object" && Object.keys(more).length === 0;
}

function parsed(body: Buffer): ConnectError | undefined {
  try {
    const json: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    return typeof json === "object" && json !== null && !Array.isArray(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

function headOf(input: Input): string {
  if (input.stream !== undefined) {
    return Object.entries(input.stream.headers)
      .map(([name, value]) => `${name}: ${value}`)
      .join("\r\n");
  }
  const bytes = sentBy(input);
  const end = bytes.indexOf("\r\n\r\n");
  return bytes.subarray(0, end < 0 || input.answers !== 1 ? bytes.length : end).toString("latin1");
}
