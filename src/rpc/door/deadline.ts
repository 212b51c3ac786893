import { Code, ConnectError } from "@connectrpc/connect";
import { errorAnswer } from "./answers.ts";
import type { Answer, Arrival } from "./call.ts";

/** The default and the maximum time of a request, in milliseconds. */
export type TimeLimits = { readonly defaultTimeoutMs: number; readonly maximumTimeoutMs: number };

/**
 * Answers `deadline_exceeded` as soon as the time of a request is over, whether it waits for its body, for a
 * connection, or for Postgres. The signal of the work then aborts. It also aborts if the client disconnects or the work
 * fails, so everything still under way for it stops.
 */
export function withinDeadline(
  { headers, onGone }: Pick<Arrival, "headers" | "onGone">,
  limits: TimeLimits,
  work: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const over = new AbortController();
  return new Promise((resolve, reject) => {
    const end = (code: Code, message: string) => {
      const error = new ConnectError(message, code);
      over.abort(error);
      resolve(errorAnswer(error));
    };
    const sent = headers["connect-timeout-ms"];
    const timer = setTimeout(end, timeoutOf(sent, limits), Code.DeadlineExceeded, "the deadline has passed");
    // A timer would not fire at once for a timeout of 0.
    if (typeof sent === "string" && /^0{1,10}$/.test(sent))
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
export function timeoutOf(
  header: string | string[] | null | undefined,
  { defaultTimeoutMs, maximumTimeoutMs }: TimeLimits,
): number {
  if (typeof header !== "string" || !/^\d{1,10}$/.test(header) || Number(header) > maximumTimeoutMs)
    return defaultTimeoutMs;
  return Number(header);
}
