import { Code, ConnectError } from "@connectrpc/connect";
import { reasonOf } from "../parts/failure.ts";

const withoutAnswer = [Code.Unknown, Code.Unavailable, Code.DeadlineExceeded, Code.Canceled, Code.Internal];

/**
 * Whether a change may have been made although it failed: no answer came, or the database went away, perhaps while
 * committing. Another refusal with a reason is an answer: nothing was done.
 */
export function isUncertain(thrown: unknown): boolean {
  const error = ConnectError.from(thrown);
  return withoutAnswer.includes(error.code) && ["", "DATABASE_UNAVAILABLE"].includes(reasonOf(error));
}
