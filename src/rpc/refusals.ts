import { Code, ConnectError } from "@connectrpc/connect";
import { codeFromString } from "@connectrpc/connect/protocol-connect";
import { ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.ts";
import { codeOf, Refusal } from "../authorization/refusal.ts";
import type { Log } from "./observer.ts";

/** The result of an item of a batch: the answer or the error of the single call. */
export function toBatchResult<Success extends object>(outcome: Success | Refusal) {
  if (!(outcome instanceof Refusal)) return { result: { case: "success" as const, value: outcome } };
  const { reason, message, metadata } = outcome;
  const value = { code: codeOf[reason], reason, message, metadata: { ...metadata } };
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
  return new ConnectError(message, codeFromString(codeOf[reason]), headersOf(refusal), [
    { desc: ErrorInfoSchema, value: info },
  ]);
}

/** The reason in the error's google.rpc.ErrorInfo. */
export function reasonOf({ details }: ConnectError): string | undefined {
  const info = details.find((detail) => "desc" in detail && detail.desc.typeName === "google.rpc.ErrorInfo");
  return (info as { readonly value: { readonly reason?: string } } | undefined)?.value.reason;
}
