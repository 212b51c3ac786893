import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import type { UniversalHandler, UniversalServerRequest, UniversalServerResponse } from "@connectrpc/connect/protocol";
import { createAsyncIterable } from "@connectrpc/connect/protocol";
import { codeToString, errorToJsonBytes } from "@connectrpc/connect/protocol-connect";
import { Refusal } from "../authorization/refusal.ts";
import { requestToProve } from "../identity/remembered-callers.ts";
import { readAgain, readBody } from "./body.ts";
import { type Call, callOf } from "./call.ts";
import type { IsForCaller } from "./gate.ts";
import { type CallOutcome, type Observer, type ProtocolName, protocolOf } from "./observer.ts";
import { fromRefusal, reasonOf } from "./refusals.ts";
import { whileRead } from "./while-read.ts";

type Around = {
  /** Its name, if it isn't that of an RPC. */
  readonly name?: string;
  /** The most bytes of a message. */
  readonly mostBytes: number;
  /** Undefined if the RPC isn't observed. */
  readonly observe?: Observe | undefined;
  /** How long a client may send nothing, in milliseconds. Undefined if the deadline decides. */
  readonly idleMs?: number;
  /** Undefined if it has no caller. */
  readonly isForCaller?: IsForCaller;
};

type Answer = () => Promise<UniversalServerResponse>;

/** Tells an observer of a call. */
type Observe = (rpc: string, call: Call, answer: Answer) => Promise<UniversalServerResponse>;

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
 * goes, reads the body under the call's limits, gives back what the call holds, and tells the observer how it ended.
 */
export function around(
  handler: UniversalHandler,
  { name, mostBytes, observe, idleMs, isForCaller }: Around,
): UniversalHandler {
  const rpc = name ?? `${handler.service.typeName}/${handler.method.name}`;
  const { methodKind } = handler.method;
  const mostOfBody = methodKind === "unary" || methodKind === "server_streaming" ? mostBytes : undefined;

  async function answer(request: UniversalServerRequest, call: Call): Promise<UniversalServerResponse> {
    const leave = () => call.over.abort(new ConnectError("the client disconnected", Code.Canceled));
    request.signal.addEventListener("abort", leave, { once: true });
    const { signal } = call.over;
    try {
      let response = await handler({ ...request, body: readBody(call, mostOfBody, idleMs), signal });
      while (isForCaller !== undefined && !(await isForCaller(call))) {
        const body = readAgain(call);
        // A stream has begun, and holds a place.
        await response.body?.[Symbol.asyncIterator]().return?.();
        repeat(call);
        response = await handler({ ...request, body, signal });
      }
      if (methodKind === "server_streaming" && isForCaller !== undefined) {
        return { ...response, body: whileRead(response.body, () => resetUnread(call)) };
      }
      return response;
    } catch (error) {
      call.failure = error;
      call.log.error({ err: error, rpc }, "unexpected failure");
      return internalError();
    } finally {
      call.read.chunks.length = 0;
      clearTimeout(call.timer);
      clearTimeout(call.lateBody);
      // The signal also aborts when the client has read everything.
      if (methodKind === "unary") request.signal.removeEventListener("abort", leave);
    }
  }

  const serve = (request: UniversalServerRequest) => {
    const call = callOf(request.contextValues as NonNullable<typeof request.contextValues>);
    const serveCall = () => call.held.serve(() => requestToProve.run(call, () => answer(request, call)));
    return observe === undefined ? serveCall() : observe(rpc, call, serveCall);
  };
  return Object.assign(serve, handler);
}

/** Ends a stream whose client reads nothing. It can't be told: that would have to be read, too. */
function resetUnread(call: Call): void {
  if (call.over.signal.aborted) return;
  call.failure = fromRefusal(new Refusal("READER_TOO_SLOW", "the client took nothing for too long"));
  call.held.reset();
}

/** Forgets what was answered for a caller that no longer holds. */
function repeat(call: Call): void {
  clearTimeout(call.timer);
  // A body that couldn't be read has kept it.
  call.held.endTurn();
  const { signal } = call.over;
  Object.assign(call, { isRepeated: true, remembered: undefined, hasSucceeded: false, signal });
}

/** Tells of a call once it is answered. */
export function answered({ begin }: Observer, protocol?: ProtocolName): Observe {
  return async (rpc, call, answer) => {
    const { headers } = call.request;
    const observation = begin(rpc, protocol ?? protocolOf(headers["content-type"]), headers, call.log);
    call.observation = observation;
    call.log = observation.log;
    let status = 500;
    try {
      const response = await observation.run(answer);
      status = response.status;
      return response;
    } finally {
      observation.end(outcomeOf(call, status));
    }
  };
}

/** Tells of a call from its beginning to the end of its response, because it may last. */
export function opened(observer: Observer): Observe {
  return async (rpc, call, answer) => {
    const end = observer.opened(rpc, protocolOf(call.request.headers["content-type"]), call.log);
    // It has begun without an error, but may have ended with one.
    let isTold = false;
    const tell = () => {
      const outcome = outcomeOf({ ...call, hasSucceeded: !(call.failure instanceof ConnectError) }, 200);
      if (!isTold) end({ ...outcome, caller: call.identified?.caller.userId });
      isTold = true;
    };
    // What waits for a client that has gone never ends.
    call.over.signal.addEventListener("abort", tell);
    const response = await answer();
    if (response.body === undefined) tell();
    else response.body = untilEnd(response.body, tell);
    return response;
  };
}

async function* untilEnd(body: AsyncIterable<Uint8Array>, tell: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } finally {
    tell();
  }
}

function outcomeOf({ hasSucceeded, failure }: Call, status: number): CallOutcome {
  if (failure instanceof ConnectError && !hasSucceeded)
    return { code: codeToString(failure.code), reason: reasonOf(failure), status };
  return { code: hasSucceeded ? "ok" : "internal", reason: undefined, status };
}

function internalError(): UniversalServerResponse {
  const body = errorToJsonBytes(new ConnectError("internal error", Code.Internal), undefined);
  const header = new Headers({ "content-type": "application/json", "content-length": String(body.byteLength) });
  return { status: 500, header, body: createAsyncIterable([body]) };
}
