import { Code, ConnectError } from "@connectrpc/connect";
import type { Answer, Arrival, Timeout } from "./call.ts";

/** The default and the maximum time of a request, in milliseconds. */
export type TimeLimits = { readonly defaultTimeoutMs: number; readonly maximumTimeoutMs: number };

/**
 * Answers `deadline_exceeded` as soon as the time of a request is over, whether it waits for its body, for a
 * connection, or for Postgres. The signal of the work then aborts. It also aborts if the client disconnects or the work
 * fails, so everything still under way for it stops.
 */
export function withinDeadline(
  { protocol, headers, onGone }: Pick<Arrival, "protocol" | "headers" | "onGone">,
  timeout: Timeout,
  limits: TimeLimits,
  work: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const over = new AbortController();
  return new Promise((resolve, reject) => {
    const end = (code: Code, message: string) => {
      const error = new ConnectError(message, code);
      over.abort(error);
      resolve(protocol.refusal(error, headers["content-type"]));
    };
    const timer = setTimeout(end, timeOf(timeout, limits), Code.DeadlineExceeded, "the deadline has passed");
    // A timer would not fire at once for a timeout below a millisecond.
    if (timeout.timeoutMs !== undefined && timeout.timeoutMs < 1)
      over.abort(new ConnectError("the deadline has passed", Code.DeadlineExceeded));
    onGone(() => end(Code.Canceled, "the client disconnected"));
    work(over.signal)
      .then((answer) => {
        if (answer.error !== undefined) over.abort(answer.error);
        resolve(answer);
      }, reject)
      .finally(() => clearTimeout(timer));
  });
}

/** The time of a request. A malformed or too large value is refused later, and gets the default here. */
export function timeOf({ timeoutMs, error }: Timeout, { defaultTimeoutMs }: TimeLimits): number {
  return error === undefined ? (timeoutMs ?? defaultTimeoutMs) : defaultTimeoutMs;
}
