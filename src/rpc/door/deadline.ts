import { Code, ConnectError } from "@connectrpc/connect";
import type { UniversalServerResponse } from "@connectrpc/connect/protocol";
import { errorResponse } from "./error-response.ts";
import type { Step } from "./step.ts";

/** How long a request may take when it does not say, and how long it may ask for, in milliseconds. */
export type TimeLimits = { readonly defaultTimeoutMs: number; readonly maximumTimeoutMs: number };

/**
 * Answers `deadline_exceeded` as soon as the time of a request is over, wherever it is: waiting for its
 * body, for a connection, or for Postgres. Its signal aborts then, and when the client goes away, so
 * that whatever works for it stops. Connect alone only signals deadlines, and has none by default.
 */
export function withinDeadline(limits: TimeLimits): Step {
  return () => async (request, next) => {
    const over = new AbortController();
    const end = (code: Code, message: string) => () => over.abort(new ConnectError(message, code));
    const timer = setTimeout(
      end(Code.DeadlineExceeded, "the deadline has passed"),
      timeoutOf(request.header.get("connect-timeout-ms"), limits),
    );
    const leave = end(Code.Canceled, "the client went away");
    request.signal.addEventListener("abort", leave, { once: true });
    try {
      const inTime = { ...request, header: withoutOverflow(request.header), signal: over.signal };
      return await Promise.race([next(inTime), answerWhenOver(over.signal)]);
    } finally {
      clearTimeout(timer);
      request.signal.removeEventListener("abort", leave);
    }
  };
}

/** The time of a request. What Connect will refuse, a malformed or too large value, runs with the default here. */
export function timeoutOf(
  header: string | string[] | null | undefined,
  { defaultTimeoutMs, maximumTimeoutMs }: TimeLimits,
): number {
  if (typeof header !== "string" || !/^\d{1,10}$/.test(header) || Number(header) > maximumTimeoutMs)
    return defaultTimeoutMs;
  return Number(header);
}

/** Connect sets a timer also for a time it will refuse, and one that overflows would be over at once. */
function withoutOverflow(header: Headers): Headers {
  const value = header.get("connect-timeout-ms") ?? "";
  if (!/^\d{10}$/.test(value) || Number(value) <= largestTimerMs) return header;
  const capped = new Headers(header);
  capped.set("connect-timeout-ms", String(largestTimerMs));
  return capped;
}

const largestTimerMs = 2 ** 31 - 1;

function answerWhenOver(signal: AbortSignal): Promise<UniversalServerResponse> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(errorResponse(ConnectError.from(signal.reason))), { once: true });
  });
}
