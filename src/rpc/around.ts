import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import type { UniversalHandler, UniversalServerRequest, UniversalServerResponse } from "@connectrpc/connect/protocol";
import { createAsyncIterable } from "@connectrpc/connect/protocol";
import { codeToString, errorToJsonBytes } from "@connectrpc/connect/protocol-connect";
import { requestInTurn } from "../limits/limits.ts";
import { readBody } from "./body.ts";
import { type Call, callOf } from "./call.ts";
import { replaceJson } from "./interceptors/list-json.ts";
import { type CallOutcome, type Observer, protocolOf } from "./observer.ts";
import { reasonOf } from "./refusals.ts";

type Around = {
  /** The most bytes of a message. */
  readonly mostBytes: number;
  /** Undefined if the RPC isn't observed here. */
  readonly observer?: Observer | undefined;
  /** How long a client may send nothing, in milliseconds. Undefined if the deadline decides. */
  readonly idleMs?: number;
};

/** Wraps the RPCs that a router has had since it had a number of them. */
export function wrapSince(
  number: number,
  { handlers }: ConnectRouter,
  how: (handler: UniversalHandler) => Around,
): void {
  for (const [index, handler] of handlers.entries())
    if (index >= number) handlers[index] = around(handler, how(handler));
}

/**
 * Wraps an RPC as Connect serves it, in whatever protocol. Nothing here knows protocols: it ends the call when its client
 * goes, reads the body under the call's limits, releases what the call holds, and tells the observer how it ended.
 */
function around(handler: UniversalHandler, { mostBytes, observer, idleMs }: Around): UniversalHandler {
  const rpc = `${handler.service.typeName}/${handler.method.name}`;

  async function answer(request: UniversalServerRequest, call: Call): Promise<UniversalServerResponse> {
    const leave = () => call.over.abort(new ConnectError("the client disconnected", Code.Canceled));
    request.signal.addEventListener("abort", leave, { once: true });
    try {
      const body = readBody(call, mostBytes, idleMs);
      const inTurn = () => handler({ ...request, body, signal: call.over.signal });
      const response = await requestInTurn.run(call.held, inTurn);
      return call.json === undefined ? response : await replaceJson(response, call.json, request.header);
    } catch (error) {
      call.failure = error;
      call.log.error({ err: error, rpc }, "unexpected failure");
      return internalError();
    } finally {
      clearTimeout(call.timer);
      // The signal also aborts when the client has read everything.
      if (handler.method.methodKind === "unary") request.signal.removeEventListener("abort", leave);
      call.held.answered();
    }
  }

  async function observed(request: UniversalServerRequest, call: Call, { begin }: Observer) {
    const { headers } = call.request;
    const observation = begin(rpc, protocolOf(headers["content-type"]), headers, call.log);
    call.observation = observation;
    call.log = observation.log;
    let status = 500;
    try {
      const response = await observation.run(() => answer(request, call));
      status = response.status;
      return response;
    } finally {
      observation.end(outcomeOf(call, status));
    }
  }

  const serve = (request: UniversalServerRequest) => {
    const call = callOf(request.contextValues as NonNullable<typeof request.contextValues>);
    return observer === undefined ? answer(request, call) : observed(request, call, observer);
  };
  return Object.assign(serve, handler);
}

function outcomeOf({ hasSucceeded, failure }: Call, status: number): CallOutcome {
  if (hasSucceeded) return { code: "ok", reason: undefined, status };
  return failure instanceof ConnectError
    ? { code: codeToString(failure.code), reason: reasonOf(failure), status }
    : { code: "internal", reason: undefined, status };
}

function internalError(): UniversalServerResponse {
  const body = errorToJsonBytes(new ConnectError("internal error", Code.Internal), undefined);
  const header = new Headers({ "content-type": "application/json", "content-length": String(body.byteLength) });
  return { status: 500, header, body: createAsyncIterable([body]) };
}
