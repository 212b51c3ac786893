import { Code, ConnectError } from "@connectrpc/connect";
import { reasonOf } from "../parts/failure.ts";

const withoutAnswer = [Code.Unknown, Code.Unavailable, Code.DeadlineExceeded, Code.Canceled, Code.Internal];

/**
 * Whether a failed change may have been made anyway: there was no answer, or the database went away, possibly during
 * the commit. Any other refusal with a reason means that nothing was done.
 */
export function isUncertain(thrown: unknown): boolean {
  const error = ConnectError.from(thrown);
  return withoutAnswer.includes(error.code) && ["", "DATABASE_UNAVAILABLE"].includes(reasonOf(error));
}
