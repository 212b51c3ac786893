import { ErrorInfoSchema } from "@authorization-service/client";
import { Code, ConnectError } from "@connectrpc/connect";
import { failureWords } from "../words/failures.ts";

/** What people see about a failed call. */
export type Failure = {
  /** What happened, without a full stop. */
  readonly title: string;
  /** What to do about it. */
  readonly advice: string;
  /** The service's own message, for people who know it. */
  readonly detail: string;
  /** The reason of google.rpc.ErrorInfo, such as AUTHORIZATION_CHANGED; empty if there is none. */
  readonly reason: string;
  /** The id of the request in the server's log; undefined if the answer has none. */
  readonly requestId: string | undefined;
};

export function failureOf(thrown: unknown): Failure {
  const error = ConnectError.from(thrown);
  const reason = reasonOf(error);
  const [title, advice] = byReason[reason] ?? byCode[error.code] ?? unexpected;
  return {
    title,
    advice,
    detail: error.rawMessage,
    reason,
    requestId: error.metadata.get("x-request-id") ?? undefined,
  };
}

/** The same for an item of a batch, which has its own reason. */
export function failureOfItem(item: { reason: string; message: string }): Failure {
  const [title, advice] = byReason[item.reason] ?? unexpected;
  return { title, advice, detail: item.message, reason: item.reason, requestId: undefined };
}

/** Whether the server was unreachable or too busy. Asking again automatically may then help, and costs little. */
export function isUnreachable(thrown: unknown): boolean {
  const { code } = ConnectError.from(thrown);
  // Browsers report a refused or broken connection as a TypeError, which Connect turns into `unknown`.
  return code === Code.Unavailable || code === Code.Unknown;
}

export function reasonOf(error: ConnectError): string {
  return error.findDetails(ErrorInfoSchema)[0]?.reason ?? "";
}

const { byReason, unexpected } = failureWords;

const byCode: Partial<Record<Code, readonly [title: string, advice: string]>> = {
  [Code.Unknown]: failureWords.away,
  [Code.Unavailable]: failureWords.away,
  [Code.DeadlineExceeded]: failureWords.tookTooLong,
  [Code.Unauthenticated]: failureWords.signedOut,
  [Code.InvalidArgument]: failureWords.unreadable,
};
