import { createHash } from "node:crypto";
import { Code, ConnectError, type HandlerContext, type Interceptor } from "@connectrpc/connect";
import type { Caller } from "../authorization/permissions.ts";
import { unlessAborted } from "../authorization/unless-aborted.ts";
import { authenticate, type Credentials } from "../identity/authenticate.ts";
import type { CountRequest } from "../limits/rate-limit.ts";
import { type Call, callOf } from "./call.ts";
import { correctError } from "./correct-error.ts";
import { toConnectError } from "./refusals.ts";
import { requirementOf } from "./requirements.ts";

/** The default and the maximum time of a request, in milliseconds. */
export type TimeLimits = { readonly defaultTimeoutMs: number; readonly maximumTimeoutMs: number };

/** Connect calls it in every protocol, after the headers and before the body. */
export type Gate = (context: HandlerContext) => Promise<void> | void;

/** A gate that limits the time of calls, and corrects the library's errors, before it does anything else. */
export function inTime({ defaultTimeoutMs, maximumTimeoutMs }: TimeLimits, gate: Gate): Gate {
  return (context) => {
    const call = callOf(context.values);
    const { signal } = context;
    const ended = () => {
      const { reason } = signal;
      call.failure = reason;
      if (!(reason instanceof ConnectError) && reason?.name !== "AbortError")
        call.log.error({ err: reason }, "unexpected failure");
      correctError(signal.reason, context);
    };
    if (signal.aborted) ended();
    else signal.addEventListener("abort", ended, { once: true });
    const timeoutMs = context.timeoutMs();
    // The library refuses a longer time after the gate. Until then, its own timer could have overflowed.
    if (timeoutMs === undefined || timeoutMs <= maximumTimeoutMs) call.signal = signal;
    // A stream may last.
    if (context.method.methodKind === "unary" && (timeoutMs === undefined || timeoutMs > maximumTimeoutMs)) {
      const end = () => call.over.abort(new ConnectError("the deadline has passed", Code.DeadlineExceeded));
      call.timer = setTimeout(end, defaultTimeoutMs);
    }
    return gate(context);
  };
}

/**
 * Finds the caller, or refuses with UNAUTHENTICATED before anything else about the request is looked at. Callers that lack
 * what every request of the RPC needs are refused here, too.
 */
export function requireCaller(credentials: Credentials, countRequest: CountRequest | undefined): Gate {
  const known = rememberCallers();
  return async ({ values, method }) => {
    const call = callOf(values);
    const hash = createHash("sha256")
      .update(call.request.headers.authorization ?? "")
      .digest("base64");
    try {
      const expected = known.recall(hash);
      if (expected !== undefined) call.held.expect(expected);
      // A statement that is cancelled may take a moment longer than the call.
      const caller = await unlessAborted(findCaller(credentials, call), call.signal);
      known.keep(hash, caller.userId);
      await countRequest?.(caller.userId);
      call.held.identify(caller.userId);
      requirementOf(method).requires?.(caller);
    } catch (error) {
      if (call.caller === undefined) known.forget(hash);
      throw toConnectError(error, call.log, `${method.parent.typeName}/${method.name}`);
    }
  };
}

/** How many credentials are remembered. */
const mostKnown = 10_000;

/**
 * Whose credentials were valid last, by their hashes. This gives no rights: it only lets their look-up wait in its caller's
 * turn, instead of the turn of an address that others flood. What is no longer valid is forgotten.
 */
function rememberCallers() {
  const users = new Map<string, string>();
  return {
    recall: (hash: string) => users.get(hash),
    forget: (hash: string) => users.delete(hash),
    keep(hash: string, userId: string): void {
      users.delete(hash);
      users.set(hash, userId);
      const [oldest] = users.keys();
      if (users.size > mostKnown && oldest !== undefined) users.delete(oldest);
    },
  };
}

/** How old a caller's rights may be when work on its request begins, in milliseconds. */
const freshForMs = 1_000;

/**
 * Reads the caller's rights again if its body took long to arrive. Otherwise a client could hold its body back to keep
 * rights that were taken away in the meantime.
 */
export function renewCaller(credentials: Credentials): Interceptor {
  return (next) => async (request) => {
    const call = callOf(request.contextValues);
    const age = performance.now() - (call.caller?.at ?? 0);
    if (age > freshForMs) await findCaller(credentials, call);
    return next(request);
  };
}

async function findCaller(credentials: Credentials, call: Call): Promise<Caller> {
  const { request, observation, signal } = call;
  const found = await authenticate(credentials, request.headers.authorization ?? null, signal, (why) => {
    if (observation !== undefined) observation.unacceptable = why;
  });
  call.caller = { found, at: performance.now() };
  if (observation !== undefined) observation.caller = found.userId;
  return found;
}
