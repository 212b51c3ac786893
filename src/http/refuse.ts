import { Code, ConnectError } from "@connectrpc/connect";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "../authorization/refusal.ts";
import type { ConsoleFiles } from "../console/console-files.ts";
import { answerUnknownAddress } from "../console/unknown-address.ts";
import type { Answer, Protocol } from "../rpc/door/call.ts";
import { connect } from "../rpc/door/connect.ts";
import type { Outcome, ProtocolName } from "../rpc/door/observer.ts";
import { protocolOf } from "../rpc/door/protocols.ts";
import { fromRefusal } from "../rpc/door/refusals.ts";
import { shorten } from "../rpc/door/shorten.ts";
import { outcomeOf } from "../rpc/door/tell-observer.ts";
import { isHttp2 } from "./request-head.ts";
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
  if (request.method === "CONNECT") {
    // Over HTTP/1.1, unreadable-requests.ts answers it.
    refuseMethod(request, reply, "GET, HEAD, POST");
  } else if (readable.has(request.url)) {
    if (["GET", "HEAD"].includes(request.method)) return false;
    refuseMethod(request, reply, "GET, HEAD");
  } else if (rpc === undefined) {
    // The body isn't read, because nothing in it could make the path known.
    if (answerUnknownAddress(consoleFiles, request, reply)) return true;
    const [sent] = request.originalUrl.split("?", 1);
    refuse(reply, new ConnectError(shorten(`nothing is served at ${sent}`), Code.Unimplemented), 404);
  } else if (!URL.canParse(`http://${request.headers[":authority"] ?? request.headers.host ?? ""}`)) {
    refuse(reply, new ConnectError("the Host header is missing or malformed", Code.InvalidArgument));
  } else if (request.method !== "POST") {
    refuseMethod(request, reply, "POST");
  } else if (isGrpc(request) && !isHttp2(request.raw)) {
    const message = "gRPC needs HTTP/2: use that, or gRPC-Web, or the Connect protocol";
    refuse(reply, new ConnectError(message, Code.Unimplemented), 505);
  } else if (!rpc.supportedContentType(request.headers["content-type"] ?? "")) {
    const accepted = isHttp2(request.raw) ? [...contentTypes, ...grpcContentTypes] : contentTypes;
    reply.header("accept-post", accepted.join(", "));
    const message = `the content type must be one of ${accepted.join(", ")}`;
    refuse(reply, new ConnectError(message, Code.Unimplemented), 415);
  } else {
    return false;
  }
  return true;
}

const contentTypes = [
  "application/json",
  "application/proto",
  "application/grpc-web",
  "application/grpc-web+proto",
  "application/grpc-web+json",
];
const grpcContentTypes = ["application/grpc", "application/grpc+proto", "application/grpc+json"];

function isGrpc({ headers }: FastifyRequest): boolean {
  return protocolOf(headers["content-type"]).name === "grpc";
}

function refuseMethod(request: FastifyRequest, reply: FastifyReply, allowed: string): void {
  reply.header("allow", allowed);
  const message = `${request.method} is not supported here: use ${allowed.replace(/, (?!.*,)/, " or ")}`;
  refuse(reply, new ConnectError(message, Code.Unimplemented), 405);
}

/** The protocol of the answer to a request. Over HTTP/1.1, nothing can be answered in the form of gRPC. */
function protocolFor(request: FastifyRequest): Protocol {
  return isGrpc(request) && !isHttp2(request.raw) ? connect : protocolOf(request.headers["content-type"]);
}

/**
 * Answers with an error in the form of the client's protocol. The status applies to Connect: it is always 200 in gRPC and
 * gRPC-Web.
 */
export function refuse(reply: FastifyReply, error: ConnectError, status?: number): FastifyReply {
  const { request } = reply;
  return send(reply, protocolFor(request).refusal(error, request.headers["content-type"], status));
}

const overload = fromRefusal(new Refusal("OVERLOADED", "the server is too busy to answer in time; try again"));
// Each is created once, because refusing must cost next to nothing.
const overloadAnswers = new Map<string, Answer>();

export function refuseOverload(reply: FastifyReply): FastifyReply {
  const type = reply.request.headers["content-type"] ?? "";
  const answer = overloadAnswers.get(type) ?? protocolFor(reply.request).refusal(overload, type);
  // Only content types of RPCs arrive here, but these can be spelled in many ways.
  if (overloadAnswers.size < mostSpellings) overloadAnswers.set(type, answer);
  return send(reply, answer);
}

const mostSpellings = 50;

const refusals = new WeakMap<FastifyReply, Outcome & { readonly protocol: ProtocolName }>();

/** How a request was refused; undefined if it wasn't. */
export function refusalOf(reply: FastifyReply): ReturnType<typeof refusals.get> {
  return refusals.get(reply);
}

function send(reply: FastifyReply, answer: Answer): FastifyReply {
  refusals.set(reply, { ...outcomeOf(answer), protocol: protocolFor(reply.request).name });
  if (answer.trailers !== undefined) reply.raw.addTrailers(answer.trailers);
  // Sent as bytes, because Fastify would add a charset to a string.
  return reply.code(answer.status).headers(answer.headers).send(Buffer.from(answer.body));
}
