import { gunzipSync } from "node:zlib";
import { type DescMessage, fromBinary, fromJson, type JsonValue, type Message, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { codeToHttpStatus, codeToString, errorFromJson } from "@connectrpc/connect/protocol-connect";
import { DirectoryService } from "../../gen/service/directory/v1/directory_service_pb.ts";
import type { Answer } from "../support/answer-reader.ts";
import { readRequest, unexpectedRows } from "./expected.ts";
import { type Call, type Input, sentBy } from "./input.ts";
import { methods } from "./requests.ts";

/** What an answer says, for the summary, and what is wrong with it. */
export type Verdict = { readonly code: string; readonly problem: string | undefined };

/**
 * Judges one answer (docs/reference/transport.md and errors.md).
 *
 * @param isWorldAsMade whether the world is what it was in the beginning, so that it is known what lists hold
 */
export function judge(input: Input, answer: Answer, isWorldAsMade: boolean): Verdict {
  const body = decompressed(answer);
  if (body === undefined) return { code: "?", problem: "the body is not compressed as it says" };
  if (answer.status === 200) return { code: "ok", problem: problemOfSuccess(input, answer, body, isWorldAsMade) };
  const error = connectErrorIn(body);
  if (error === undefined) return { code: "?", problem: "an error that has not Connect's shape" };
  return { code: codeToString(error.code), problem: problemOfError(input, answer, body, error.code) };
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
    if (type === "application/json") return fromJson(schema, jsonIn(body));
    const message = fromBinary(schema, body);
    const isAll = message.$unknown === undefined && Buffer.from(toBinary(schema, message)).equals(body);
    return isAll ? message : `the answer holds more than a ${schema.typeName}`;
  } catch (error) {
    return `the answer is no ${schema.typeName}: ${error}`;
  }
}

/** The codes that HTTP's own refusals carry. */
const transport = new Map([
  [404, Code.Unimplemented],
  [405, Code.Unimplemented],
  [415, Code.Unimplemented],
  [408, Code.DeadlineExceeded],
  [431, Code.ResourceExhausted],
  [505, Code.Unimplemented],
]);

const never = [Code.Internal, Code.Unknown, Code.DataLoss, Code.Canceled];

/** What an error may hold at most, and times what was sent, which some errors repeat. */
const [largestError, mostRepeated] = [131_072, 8];

function problemOfError(input: Input, { status, headers }: Answer, body: Buffer, code: Code): string | undefined {
  if (headers.get("content-type") !== "application/json") return `an error of type ${headers.get("content-type")}`;
  const name = codeToString(code);
  if (codeToHttpStatus(code) !== status && transport.get(status) !== code) return `${name} with status ${status}`;
  if (never.includes(code)) return `the code ${name}`;
  const sent = sentBy(input);
  if (status === 501 && !/^content-encoding:/im.test(sent.toString("latin1"))) return "501 without a compression";
  if (status === 504 && !/^connect-timeout-ms:/im.test(sent.toString("latin1"))) return "504 without a deadline";
  const isOverload = /"reason":"OVERLOADED"/.test(body.toString());
  if (status === 503 && !isOverload) return "503 for another reason than overload";
  if (isOverload && !headers.has("retry-after")) return "overload without Retry-After";
  if (input.keepsAlive && isMisjudged(input.call, code)) return `refused as ${name}, though the request is not valid`;
  if (body.length > largestError + mostRepeated * sent.length) return `an error of ${body.length} bytes`;
  return shownInside(body.toString(), sent, input.call?.plain);
}

/**
 * What is not valid is refused for that, before anything else but the credentials and the load is looked at; and before
 * a request about the directory is read, whether the caller may do anything there.
 */
function isMisjudged(call: Call | undefined, code: Code): boolean {
  if (call === undefined || [Code.InvalidArgument, Code.Unauthenticated, Code.Unavailable].includes(code)) return false;
  if (code === Code.PermissionDenied && call.method.parent === DirectoryService) return false;
  return typeof readRequest(call) === "string";
}

/** The error as Connect's own clients read it; undefined if they can't. */
function connectErrorIn(body: Buffer): ConnectError | undefined {
  const unreadable = new ConnectError("unreadable");
  try {
    return errorFromJson(jsonIn(body), undefined, unreadable);
  } catch {
    return undefined;
  }
}

const jsonIn = (body: Buffer) => JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)) as JsonValue;

/** Words of the inside that no caller has to hear: of SQL and Postgres, of Node, of files, of tables. */
const inside = [
  ...["select ", "insert into", "delete from", "update set", "sqlstate", "syntax error", "relation ", "pg_"],
  ...["postgres", "violates", "constraint", "duplicate key", "deadlock", "invalid byte", 'encoding "utf8"'],
  ...["node_modules", "node:", ".ts:", ".js:", "file://", "/src/", "/home/", "at async", "typeerror", "rangeerror"],
  ...["econn", "enoent", "fst_", "err_", "hpe_", "undefined", "[object ", "stack", "errno", "authorization_roles"],
];

/** A word of the inside that an error shows though nobody sent it; errors repeat what was sent. */
function shownInside(error: string, sent: Buffer, plain: Uint8Array | undefined): string | undefined {
  const said = error.toLowerCase();
  const found = inside.filter((word) => said.includes(word));
  if (found.length === 0) return undefined;
  const heard = `${sent.toString("utf8")}${Buffer.from(plain ?? []).toString("utf8")}`.toLowerCase();
  const word = found.find((each) => !heard.includes(each));
  return word === undefined ? undefined : `an error that shows the inside: ${JSON.stringify(word)}`;
}
