import { Code, ConnectError } from "@connectrpc/connect";
import { codeToString } from "@connectrpc/connect/protocol-connect";
import { ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.ts";
import { type Reason, Refusal } from "../authorization/refusal.ts";
import type { Log } from "./observer.ts";

/** The code of every reason (docs/reference/errors.md). */
const codes: Record<Reason, Code> = {
  UNAUTHENTICATED: Code.Unauthenticated,
  KEYS_UNAVAILABLE: Code.Unavailable,
  LIMIT_EXCEEDED: Code.InvalidArgument,
  PAGE_TOKEN_INVALID: Code.InvalidArgument,
  RESUME_TOKEN_INVALID: Code.InvalidArgument,
  RESUME_TOKEN_EXPIRED: Code.FailedPrecondition,
  READER_TOO_SLOW: Code.Aborted,
  AUTHORIZATION_NOT_FOUND: Code.NotFound,
  PERMISSION_DENIED: Code.PermissionDenied,
  AUTHORIZATION_CHANGED: Code.Aborted,
  AUTHORIZATION_EXISTS: Code.AlreadyExists,
  AUTHORIZATION_EXPIRED: Code.FailedPrecondition,
  USER_NOT_FOUND: Code.FailedPrecondition,
  ORGANIZATION_NOT_FOUND: Code.FailedPrecondition,
  PROJECT_NOT_GRANTED: Code.FailedPrecondition,
  ROLE_NOT_FOUND: Code.FailedPrecondition,
  EXPIRATION_NOT_IN_FUTURE: Code.FailedPrecondition,
  EXPIRATION_NOT_REACHED: Code.FailedPrecondition,
  VERSION_INVALID: Code.InvalidArgument,
  DIRECTORY_CHANGED: Code.Aborted,
  DUPLICATE_CHANGE: Code.FailedPrecondition,
  REFERENCE_NOT_FOUND: Code.FailedPrecondition,
  ADMINISTRATOR_ROLE_INVALID: Code.FailedPrecondition,
  GRANT_TO_OWNER: Code.FailedPrecondition,
  GRANT_EXISTS: Code.FailedPrecondition,
  IMMUTABLE_FIELD: Code.FailedPrecondition,
  LAST_OWNER: Code.FailedPrecondition,
  TOO_MANY_ENTRIES: Code.FailedPrecondition,
  OUTCOMES_TOO_LARGE: Code.ResourceExhausted,
  REASON_REQUIRED: Code.FailedPrecondition,
  TOKEN_NOT_FOUND: Code.NotFound,
  TOO_MANY_TOKENS: Code.ResourceExhausted,
  LIFETIME_EXCEEDED: Code.InvalidArgument,
  OVERLOADED: Code.Unavailable,
  RATE_LIMITED: Code.ResourceExhausted,
  DATABASE_UNAVAILABLE: Code.Unavailable,
};

/** The result of an item of a batch: the answer or the error of the single call. */
export function toBatchResult<Success extends object>(outcome: Success | Refusal) {
  if (!(outcome instanceof Refusal)) return { result: { case: "success" as const, value: outcome } };
  const { reason, message, metadata } = outcome;
  const value = { code: codeToString(codes[reason]), reason, message, metadata: { ...metadata } };
  return { result: { case: "error" as const, value } };
}

/** Additional headers for some reasons. */
function headersOf({ reason, metadata }: Refusal): Record<string, string> | undefined {
  if (reason === "UNAUTHENTICATED") return { "www-authenticate": "Bearer" };
  if (reason === "OVERLOADED") return { "retry-after": "1" };
  if (reason === "RATE_LIMITED") return { "retry-after": metadata.retryAfterSeconds ?? "1" };
  return undefined;
}

/**
 * Turns what an RPC throws into an error that callers may see. Faults are logged in full.
 *
 * @param what the RPC's name, for the log
 */
export function toConnectError(error: unknown, log: Log, what: string): ConnectError {
  if (error instanceof ConnectError) return error;
  if (error instanceof Refusal) {
    if (error.cause !== undefined) log.warn({ err: error.cause, rpc: what }, error.message);
    return fromRefusal(error);
  }
  log.error({ err: error, rpc: what }, "unexpected failure");
  return new ConnectError("internal error", Code.Internal);
}

/** Turns a refusal into the error for callers. */
export function fromRefusal(refusal: Refusal): ConnectError {
  const { reason, message, metadata } = refusal;
  const info = { reason, domain: "authorization.service", metadata: { ...metadata } };
  return new ConnectError(message, codes[reason], headersOf(refusal), [{ desc: ErrorInfoSchema, value: info }]);
}

/** The reason in the error's google.rpc.ErrorInfo. */
export function reasonOf({ details }: ConnectError): string | undefined {
  const info = details.find((detail) => "desc" in detail && detail.desc.typeName === "google.rpc.ErrorInfo");
  return (info as { readonly value: { readonly reason?: string } } | undefined)?.value.reason;
}
