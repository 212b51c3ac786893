import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import { unlessAborted } from "../authorization/unless-aborted.ts";
import { authenticate, type Credentials } from "../identity/authenticate.ts";
import type { FoundCaller, Identified } from "../identity/store.ts";
import type { CountRequest } from "../limits/rate-limit.ts";
import { type Call, callOf } from "./call.ts";
import { correctError } from "./correct-error.ts";
import { reasonOf, toConnectError } from "./refusals.ts";
import { requirementOf } from "./requirements.ts";

/** The default and the maximum time of a request, in milliseconds. */
export type TimeLimits = { readonly defaultTimeoutMs: number; readonly maximumTimeoutMs: number };

/** Timers can't be longer. */
export const longestTimeoutMs = 2 ** 31 - 1;

/** Connect calls it in every protocol, after the headers and before the body. */
export type Gate = (context: HandlerContext) => Promise<void> | void;

/** A gate that limits the time of calls, and corrects the library's errors, before it does anything else. */
export function inTime({ defaultTimeoutMs, maximumTimeoutMs }: TimeLimits, gate?: Gate): Gate {
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
    const limitMs = timeoutMs === undefined || timeoutMs > maximumTimeoutMs ? defaultTimeoutMs : timeoutMs;
    // A call that is answered again has what is left of its time.
    call.endsAt ??= performance.now() + limitMs;
    const isTimed = limitMs === timeoutMs && !call.isRepeated;
    const { methodKind } = context.method;
    // Once it has begun, a stream may last.
    if (methodKind === "server_streaming") call.endsAt = Math.min(call.endsAt, performance.now() + defaultTimeoutMs);
    if (methodKind === "server_streaming" || (methodKind === "unary" && !isTimed)) endInTime(call);
    return gate?.(context);
  };
}

/** Ends a call when its time is over. */
function endInTime(call: Call): void {
  const end = () => call.over.abort(new ConnectError("the deadline has passed", Code.DeadlineExceeded));
  clearTimeout(call.timer);
  call.timer = setTimeout(end, Math.max((call.endsAt ?? 0) - performance.now(), 0));
}

/**
 * Finds the caller, or refuses with UNAUTHENTICATED before anything else about the request is looked at. Callers that lack
 * what every request of the RPC needs are refused here, too.
 */
export function requireCaller(credentials: Credentials, countRequest: CountRequest | undefined): Gate {
  return async ({ values, method }) => {
    const call = callOf(values);
    const { requires, provesCaller } = requirementOf(method);
    try {
      // A statement that is cancelled may take a moment longer than the call.
      const caller = await unlessAborted(findCaller(credentials, call, provesCaller && !call.isRepeated), call.signal);
      if (call.remembered !== undefined) call.lateBody = setTimeout(lookUpIfLate, freshForMs, credentials, call);
      if (!call.isRepeated) await countRequest?.(caller.userId);
      call.held.identify(caller.userId);
      requires?.(caller);
    } catch (error) {
      throw toConnectError(error, call.log, `${method.parent.typeName}/${method.name}`);
    }
  };
}

/** How old a caller's rights may be when work on its request begins, in milliseconds. */
const freshForMs = 1_000;

/**
 * Reads the caller's rights again if its body took long to arrive. Otherwise a client could hold its body back to keep
 * rights that were taken away in the meantime.
 */
export async function renewCaller(credentials: Credentials, call: Call): Promise<void> {
  const age = performance.now() - call.identifiedAt;
  if (age > freshForMs) await findCaller(credentials, call);
}

/**
 * Ends a call whose remembered caller is no longer there, if its body hasn't arrived. Otherwise the request would count for
 * that caller until its deadline, although nothing has proven it.
 */
async function lookUpIfLate(credentials: Credentials, call: Call): Promise<void> {
  if (call.read.isAll) return;
  try {
    await identifyAgain(credentials)(call, false);
  } catch (error) {
    call.over.abort(toConnectError(error, call.log, "looking up a caller whose body is late"));
  }
}

/** Whether a call was answered for its caller as it is now. */
export type IsForCaller = (call: Call) => Promise<boolean>;

/** Looks up a remembered caller of whom no statement said whether it still holds. */
export function checkCaller(credentials: Credentials): IsForCaller {
  return async (call) => {
    const { remembered, failure } = call;
    if (remembered === undefined || remembered.holds !== undefined) return remembered?.holds !== false;
    if (saysNothing(failure)) {
      // No one can hold what is the caller's by leaving its requests unproven. Those that are refused cost it nothing.
      if (!call.read.isAll || failure.code !== Code.Unavailable) remembered.doubt();
      return true;
    }
    // That of the handler has aborted when it answered.
    call.signal = call.over.signal;
    endInTime(call);
    const now = await findCaller(credentials, call).catch(() => undefined);
    return now !== undefined && now.version === remembered.caller.version;
  };
}

/** Whether an error says nothing of what a caller may see or do. To look up the caller would only add to the load. */
function saysNothing(error: unknown): error is ConnectError {
  if (!(error instanceof ConnectError)) return false;
  return withoutAnswer.has(error.code) || reasonOf(error) === "RATE_LIMITED";
}

const withoutAnswer = new Set([Code.Internal, Code.Unavailable, Code.DeadlineExceeded, Code.Canceled]);

/** Finds the caller of a call again, who may be a remembered one. */
export function identifyAgain(credentials: Credentials) {
  return ({ request, over }: Call, mayRemember: boolean): Promise<Identified> =>
    authenticate(credentials, request.headers.authorization ?? null, { signal: over.signal, mayRemember });
}

async function findCaller(credentials: Credentials, call: Call, mayRemember = false): Promise<FoundCaller> {
  const { request, observation, signal, held } = call;
  const { remembered, ...identified } = await authenticate(credentials, request.headers.authorization ?? null, {
    signal,
    mayRemember,
    expect: held.expect,
    unacceptable(why) {
      if (observation !== undefined) observation.unacceptable = why;
    },
  });
  const { caller } = identified;
  call.identified = identified;
  call.identifiedAt = performance.now();
  call.remembered = remembered;
  if (observation !== undefined) observation.caller = caller.userId;
  return caller;
}
