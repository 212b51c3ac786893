import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";
import { fromBinary } from "@bufbuild/protobuf";
import { ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.ts";
import type { Answer, Call, Caller } from "./caller.ts";
import { env } from "./places.ts";

/** grpcurl, which learns everything about the service from the server. */
export function grpcurl(url: string, service: string): Caller {
  return commandLine(
    ({ rpc, request, headers, timeoutMs }) => [
      "grpcurl",
      ...["-plaintext", "-emit-defaults", "-format-error", "-max-msg-sz", String(16 * 2 ** 20)],
      ...(timeoutMs === undefined ? [] : ["-max-time", String(timeoutMs / 1_000)]),
      ...headers.flatMap((header) => ["-H", header]),
      ...["-d", JSON.stringify(request), url.replace("http://", ""), `${service}/${rpc}`],
    ],
    (error) => ({ ...error, code: grpcCodes[error.code] ?? String(error.code), details: error.details ?? [] }),
  );
}

/** buf curl, which does the same in each protocol. */
export function bufCurl(url: string, protocol: string, service: string): Caller {
  return commandLine(
    ({ rpc, request, headers }) => [
      buf,
      ...["curl", "--http2-prior-knowledge", "--protocol", protocol.replace("-", "").toLowerCase(), "--emit-defaults"],
      ...headers.flatMap((header) => ["-H", header]),
      ...["-d", JSON.stringify(request), `${url}/${service}/${rpc}`],
    ],
    (error) => error,
  );
}

/** The program itself: the script of that name would leave it running when a test kills the script. */
export const buf = createRequire(import.meta.url).resolve(`@bufbuild/buf-${process.platform}-${process.arch}/bin/buf`);

/** Of google.rpc.Status, in its order. */
const grpcCodes =
  "OK CANCELED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS PERMISSION_DENIED RESOURCE_EXHAUSTED FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED INTERNAL UNAVAILABLE DATA_LOSS UNAUTHENTICATED".split(
    " ",
  );

/** A program that makes one call and ends. */
function commandLine(
  argumentsOf: (call: Omit<Call, "headers"> & { readonly headers: readonly string[] }) => string[],
  readError: (error: any) => { code: string; message: string; details?: any[] },
): Caller {
  const running = new Set<ChildProcess>();

  async function answerOf(call: Call): Promise<Answer> {
    const all = { ...(call.token === undefined ? {} : { authorization: `Bearer ${call.token}` }), ...call.headers };
    const headers = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
    const [command = "", ...args] = argumentsOf({ ...call, headers });
    const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    running.add(child);
    const [[status], said, problem] = await Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
    running.delete(child);
    if (status === null) throw new Error("it was killed");
    if (status === 0) return { code: "ok", headers: {}, response: JSON.parse(said) };
    const { code, message, details = [] } = readError(JSON.parse(problem.slice(problem.indexOf("{"))));
    const types = details.map((detail) => String(detail.type ?? detail["@type"]).replace(/^.*\//, ""));
    const info = details[types.indexOf("google.rpc.ErrorInfo")];
    return {
      ...{ code: code.replaceAll("_", "").toLowerCase(), message, details: types, headers: {} },
      ...(info === undefined ? {} : reasonIn(info)),
    };
  }

  return {
    call: answerOf,
    begin: (call) => ({ answer: answerOf(call), cancel() {} }),
    async kill() {
      for (const child of running) child.kill("SIGKILL");
    },
  };
}

/** buf curl shows a detail in Base64, grpcurl in JSON. */
function reasonIn(detail: { value?: string; reason?: string; metadata?: Record<string, string> }) {
  const { value } = detail;
  const info = value === undefined ? detail : fromBinary(ErrorInfoSchema, Buffer.from(value, "base64"));
  return { reason: info.reason ?? "", metadata: info.metadata ?? {} };
}
