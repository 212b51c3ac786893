import { Code, ConnectError } from "@connectrpc/connect";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import { codeToHttpStatus, codeToString, errorToJson } from "@connectrpc/connect/protocol-connect";
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "../authorization/refusal.ts";
import type { ConsoleFiles } from "../console/console-files.ts";
import { pageOfUnknownAddress } from "../console/unknown-address.ts";
import { type CallOutcome, type ProtocolName, protocolOf } from "../rpc/observer.ts";
import { fromRefusal, reasonOf } from "../rpc/refusals.ts";
import { shorten } from "../rpc/shorten.ts";
import { isHttp2 } from "./request-head.ts";

/** What is served: the RPCs by their paths, and the paths that anyone may GET. */
export type ServedPaths = {
  readonly rpcs: ReadonlyMap<string, Pick<UniversalHandler, "supportedContentType" | "protocolNames">>;
  readonly readable: ReadonlySet<string>;
  readonly consoleFiles: ConsoleFiles | undefined;
};

/**
 * Refuses unknown paths, wrong methods, unsupported content types and invalid Host headers, without asking for
 * credentials. Returns whether it has answered.
 */
export function refuseTransport(
  refuse: Refuse,
  { rpcs, readable, consoleFiles }: ServedPaths,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  const rpc = rpcs.get(request.url);
  const given = request.headers["content-type"] ?? "";
  const type = given.length > mostTypeCharacters ? "" : given;
  const refuseMethod = (allowed: string) => {
    reply.header("allow", allowed);
    const message = `${request.method} is not supported here: use ${allowed.replace(/, (?!.*,)/, " or ")}`;
    refuse(reply, new ConnectError(message, Code.Unimplemented), 405);
  };
  if (request.method === "CONNECT") {
    // Over HTTP/1.1, unreadable-requests.ts answers it.
    refuseMethod("GET, HEAD, POST");
  } else if (readable.has(request.url)) {
    if (["GET", "HEAD"].includes(request.method)) return false;
    refuseMethod("GET, HEAD");
  } else if (rpc === undefined) {
    // The body isn't read, because nothing in it could make the path known.
    const [sent] = request.originalUrl.split("?", 1);
    const error = new ConnectError(shorten(`nothing is served at ${sent}`), Code.Unimplemented);
    const { headers, body } = pageOfUnknownAddress(consoleFiles, request) ?? {};
    refuse(reply, error, 404, body, headers);
  } else if (!URL.canParse(`http://${request.headers[":authority"] ?? request.headers.host ?? ""}`)) {
    refuse(reply, new ConnectError("the Host header is missing or malformed", Code.InvalidArgument));
  } else if (request.method !== "POST") {
    refuseMethod("POST");
  } else if (isPlainJson(rpc)) {
    if (rpc.supportedContentType(type)) return false;
    // The AuthZEN Authorization API has no other status for it.
    refuse(reply, new ConnectError("the content type must be application/json", Code.InvalidArgument));
  } else if (protocolOf(type) === "grpc" && !isHttp2(request.raw)) {
    const message = "gRPC needs HTTP/2: use that, or gRPC-Web, or the Connect protocol";
    refuse(reply, new ConnectError(message, Code.Unimplemented), 505);
  } else if (!rpc.supportedContentType(type) || isGrpcWebText.test(type)) {
    const spoken = isHttp2(request.raw) ? [...contentTypes, ...grpcContentTypes] : contentTypes;
    const accepted = spoken.filter((each) => rpc.supportedContentType(each));
    reply.header("accept-post", accepted.join(", "));
    const message = `the content type must be one of ${accepted.join(", ")}`;
    refuse(reply, new ConnectError(message, Code.Unimplemented), 415);
  } else {
    return false;
  }
  return true;
}

/** Whether a handler takes JSON alone, without Connect's protocol. */
export function isPlainJson(handler: Pick<UniversalHandler, "protocolNames"> | undefined): boolean {
  return handler?.protocolNames.includes("json") === true;
}

/** gRPC-Web in Base64 text, which the library takes for gRPC-Web at first. */
const isGrpcWebText = /^application\/grpc-web-text/i;

/** Each of Connect's handlers keeps the first thousand types that it is asked about, also those that it doesn't know. */
const mostTypeCharacters = 100;

const contentTypes = [
  "application/json",
  "application/proto",
  "application/connect+json",
  "application/connect+proto",
  "application/grpc-web",
  "application/grpc-web+proto",
  "application/grpc-web+json",
];
const grpcContentTypes = ["application/grpc", "application/grpc+proto", "application/grpc+json"];

type Refused = CallOutcome & { readonly protocol: ProtocolName; readonly log: FastifyBaseLogger };
type Refuse = ReturnType<typeof refusing>;

/**
 * Answers with an error in Connect's JSON, or with a page for people, whatever the protocol of the request: clients of gRPC
 * and gRPC-Web go by the HTTP status when a response doesn't have their form.
 *
 * @param tell called for each request that is refused in this way, and so reaches no RPC
 */
export function refusing(tell?: (refused: Refused) => void) {
  return (
    reply: FastifyReply,
    error: ConnectError,
    status = codeToHttpStatus(error.code),
    body = bodyOf(error),
    headers: Readonly<Record<string, string>> = ofJson,
  ): FastifyReply => {
    const { headers: sent, log } = reply.request;
    const protocol = protocolOf(sent["content-type"]);
    tell?.({ code: codeToString(error.code), reason: reasonOf(error), status, protocol, log });
    for (const [name, value] of error.metadata) reply.header(name, value);
    // Sent as bytes, because Fastify would add a charset to a string.
    return reply.code(status).headers(headers).send(body);
  };
}

const ofJson = { "content-type": "application/json" };

function bodyOf(error: ConnectError): Buffer {
  return Buffer.from(JSON.stringify(errorToJson(error, { alwaysEmitImplicit: true })));
}

const overload = fromRefusal(new Refusal("OVERLOADED", "the server is too busy to answer in time; try again"));
// Written once, because refusing must cost next to nothing.
const overloadBody = bodyOf(overload);

export function refuseOverload(refuse: Refuse, reply: FastifyReply): FastifyReply {
  return refuse(reply, overload, undefined, overloadBody);
}
