import { Code, ConnectError, type ContextValues, createHandlerContext } from "@connectrpc/connect";
import type { UniversalHandler, UniversalServerRequest, UniversalServerResponse } from "@connectrpc/connect/protocol";
import { contentTypeMatcher, createAsyncIterable, readAllBytes } from "@connectrpc/connect/protocol";
import { codeToHttpStatus, errorToJsonBytes } from "@connectrpc/connect/protocol-connect";
import { AuthorizationService } from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import { CheckService } from "../../gen/service/authorization/v2/check_service_pb.ts";
import type { Caller } from "../authorization/permissions.ts";
import { unlessAborted } from "../authorization/unless-aborted.ts";
import { callerOf, callOf } from "../rpc/call.ts";
import { toConnectError } from "../rpc/refusals.ts";
import type { Beside, Passed } from "../rpc/router.ts";

/**
 * Answers JSON at a path of its own, without Connect's protocol. It passes the same gate as an RPC, and holds what an RPC
 * holds.
 */
export type JsonEndpoint = {
  readonly path: string;
  /** Its name in logs and metrics. */
  readonly name: string;
  /** The RPC whose requirements hold for it, such as the size of a body. */
  readonly like: keyof typeof likes;
  /** Whether a request takes much of a server, so it waits for its caller's turn. */
  isDear?(request: JsonObject): boolean;
  /** Throws a Refusal, or a ConnectError for a request that breaks rules. */
  answer(caller: Caller, request: JsonObject, signal: AbortSignal): Promise<object>;
};

export type JsonObject = Readonly<Record<string, unknown>>;

const likes = {
  CheckRoles: { service: CheckService, method: CheckService.method.checkRoles },
  ListAuthorizations: { service: AuthorizationService, method: AuthorizationService.method.listAuthorizations },
};

export function jsonEndpoint(endpoint: JsonEndpoint): Beside {
  return { name: endpoint.name, handlerOf: (passed) => jsonHandler(endpoint, passed) };
}

/** The same steps as Connect's own handlers take. */
function jsonHandler({ path, name, like, isDear, answer }: JsonEndpoint, passed: Passed): UniversalHandler {
  const { gate, renew, most, cutOff } = passed;
  const { service, method } = likes[like];

  async function handle(request: UniversalServerRequest): Promise<UniversalServerResponse> {
    const { header, signal, url } = request;
    const contextValues = request.contextValues as ContextValues;
    const context = createHandlerContext({
      ...{ service, method, protocolName: "connect", requestMethod: request.method, url, requestHeader: header },
      ...{ requestSignal: signal, ...(cutOff && { shutdownSignal: cutOff }), contextValues },
    });
    const call = callOf(context.values);
    try {
      await gate(context);
      if (header.get("content-encoding") !== null) throw malformed("the body must have no content encoding");
      const bytes = request.body as AsyncIterable<Uint8Array>;
      const body = toObject(await readAllBytes(bytes, most(method), header.get("content-length")));
      call.held.endTurn();
      if (isDear?.(body)) await call.held.takeDearTurn(call.signal);
      await renew(call);
      const answered = await unlessAborted(answer(callerOf(context), body, call.signal), call.signal);
      call.hasSucceeded = true;
      return json(200, Buffer.from(JSON.stringify(answered)));
    } catch (error) {
      const shown = toConnectError(error, call.log, name);
      context.abort(shown);
      return json(codeToHttpStatus(shown.code), errorToJsonBytes(shown, { alwaysEmitImplicit: true }), shown.metadata);
    } finally {
      context.abort();
    }
  }

  return Object.assign(handle, {
    ...{ service, method, requestPath: path, allowedMethods: ["POST"], protocolNames: ["json"] },
    supportedContentType: contentTypeMatcher(jsonType),
  });
}

/** With parameters such as a charset, of which JSON has only one. */
const jsonType = /^application\/json(?:[ \t]*;[ \t]*[\w.-]+=(?:[\w.-]+|"[\w.-]+"))*[ \t]*$/i;

function toObject(bytes: Uint8Array): JsonObject {
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw malformed("the body must be JSON in UTF-8");
  }
  if (isObject(body)) return body;
  throw malformed("the body must be a JSON object");
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The error for a request that breaks rules. */
export function malformed(message: string): ConnectError {
  return new ConnectError(message, Code.InvalidArgument);
}

function json(status: number, body: Uint8Array, header = new Headers()): UniversalServerResponse {
  header.set("content-type", "application/json");
  header.set("content-length", String(body.byteLength));
  return { status, header, body: createAsyncIterable([body]) };
}
