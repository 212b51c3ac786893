import { Code, ConnectError } from "@connectrpc/connect";
import { codeToHttpStatus, errorToJsonBytes } from "@connectrpc/connect/protocol-connect";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "../authorization/refusal.ts";
import type { ConsoleFiles } from "../console/console-files.ts";
import { answerUnknownAddress } from "../console/unknown-address.ts";
import { shorten } from "../rpc/door/answers.ts";
import { jsonOptions } from "../rpc/door/encoding.ts";
import { fromRefusal } from "../rpc/door/refusals.ts";
import type { Route } from "./rpc-route.ts";

/** What is served: the paths of RPCs, and the paths that anyone may GET. */
export type Served = {
  readonly rpcs: ReadonlyMap<string, Route>;
  readonly readable: ReadonlySet<string>;
  readonly consoleFiles: ConsoleFiles | undefined;
};

/**
 * Refuses unknown paths, wrong methods, unsupported content types and invalid Host headers, without asking for
 * credentials. Returns whether it has answered.
 */
export function refuseTransport(
  { rpcs, readable, consoleFiles }: Served,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  const rpc = rpcs.get(request.url);
  if (readable.has(request.url)) {
    if (["GET", "HEAD"].includes(request.method)) return false;
    refuseMethod(request, reply, "GET, HEAD");
  } else if (rpc === undefined) {
    // The body isn't read, because nothing in it could make the path known.
    if (answerUnknownAddress(consoleFiles, request, reply)) return true;
    const [sent] = request.originalUrl.split("?", 1);
    refuse(reply, new ConnectError(shorten(`nothing is served at ${sent}`), Code.Unimplemented), 404);
  } else if (!URL.canParse(`http://${request.headers.host ?? ""}`)) {
    refuse(reply, new ConnectError("the Host header is missing or malformed", Code.InvalidArgument));
  } else if (request.method !== "POST") {
    refuseMethod(request, reply, "POST");
  } else if (!rpc.supportedContentType(request.headers["content-type"] ?? "")) {
    reply.header("accept-post", "application/json, application/proto");
    const message = "the content type must be application/json or application/proto";
    refuse(reply, new ConnectError(message, Code.Unimplemented), 415);
  } else {
    return false;
  }
  return true;
}

function refuseMethod(request: FastifyRequest, reply: FastifyReply, allowed: string): void {
  reply.header("allow", allowed);
  const message = `${request.method} is not supported here: use ${allowed.replace(", ", " or ")}`;
  refuse(reply, new ConnectError(message, Code.Unimplemented), 405);
}

/** Answers with an error in Connect's format. */
export function refuse(reply: FastifyReply, error: ConnectError, status = codeToHttpStatus(error.code)): FastifyReply {
  // Sent as bytes, because Fastify would add a charset to a string.
  const body = Buffer.from(errorToJsonBytes(error, undefined));
  return reply.code(status).header("content-type", "application/json").send(body);
}

const overload = fromRefusal(new Refusal("OVERLOADED", "the server is too busy to answer in time; try again"));
// Created once, because refusing must cost next to nothing.
const overloadBody = Buffer.from(errorToJsonBytes(overload, jsonOptions));
const overloadStatus = codeToHttpStatus(overload.code);

export function refuseOverload(reply: FastifyReply): FastifyReply {
  reply.header("content-type", "application/json").header("retry-after", overload.metadata.get("retry-after"));
  return reply.code(overloadStatus).send(overloadBody);
}
