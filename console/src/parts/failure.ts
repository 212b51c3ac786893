import { ErrorInfoSchema } from "@authorization-service/client";
import { Code, ConnectError } from "@connectrpc/connect";

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
  const [title, advice] = texts[reason] ?? byCode[error.code] ?? unexpected;
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
  const [title, advice] = texts[item.reason] ?? unexpected;
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

type Texts = readonly [title: string, advice: string];

const unexpected: Texts = [
  "The service failed",
  "Try again. If it stays, tell whoever runs the service, with the request id.",
];
const away: Texts = ["The server cannot be reached", "The page keeps trying and goes on when the server is back."];

const byCode: Partial<Record<Code, Texts>> = {
  [Code.Unknown]: away,
  [Code.Unavailable]: away,
  [Code.DeadlineExceeded]: ["The server took too long", "Try again, or narrow the view down with a filter."],
  [Code.Unauthenticated]: ["You were signed out meanwhile", "What was under way was not done. Try again."],
  [Code.InvalidArgument]: ["The service cannot read this request", "Take back the filter or the value you gave last."],
};

/** Texts by reason. docs/reference/errors.md lists all reasons. */
const texts: Record<string, Texts> = {
  AUTHORIZATION_CHANGED: ["Somebody else changed it meanwhile", "Look at what it is now, then decide again."],
  AUTHORIZATION_EXISTS: [
    "This user has an assignment there already",
    "A user has one assignment at most for a project in an organization: open it and edit its roles.",
  ],
  AUTHORIZATION_NOT_FOUND: ["The assignment is gone", "Somebody removed it, or you may not see it any more."],
  ORGANIZATION_NOT_FOUND: ["The organization is gone", "Pick another organization."],
  ADMINISTRATOR_ROLE_INVALID: ["The service doesn't know this administrator role", "Load the page again."],
  GRANT_EXISTS: ["The project is granted to this organization already", "Change that grant instead."],
  GRANT_TO_OWNER: ["The organization owns this project", "Pick another organization. The owner needs no grant."],
  IMMUTABLE_FIELD: ["This id is taken", "Choose another id."],
  LAST_OWNER: ["No owner of everything would be left", "Make another person IAM_OWNER first."],
  TOO_MANY_ENTRIES: [
    "This person has too many administrator entries",
    "Remove entries that are no longer needed, then try again.",
  ],
  OUTCOMES_TOO_LARGE: ["This is too much at once", "Make fewer changes at a time."],
  LIFETIME_EXCEEDED: ["The token would be valid for too long", "Choose a shorter time."],
  REASON_REQUIRED: ["Changes need a reason here", "Fill in the reason."],
  REFERENCE_NOT_FOUND: [
    "Something that this refers to is gone",
    "Close this, look at what there is, then decide again.",
  ],
  TOKEN_NOT_FOUND: ["The token is gone", "Somebody revoked it, or it has expired."],
  TOO_MANY_TOKENS: ["There are too many tokens", "Revoke tokens that are no longer needed."],
  OVERLOADED: ["The server is too busy", "Wait a moment. Views ask again by themselves, changes do not."],
  PAGE_TOKEN_INVALID: ["This page belongs to another list", "Go to the first page."],
  PERMISSION_DENIED: ["You may not do this here", "Ask an administrator of the organization or the project."],
  PROJECT_NOT_GRANTED: ["The organization cannot use this project any more", "Pick another project or organization."],
  RATE_LIMITED: ["You asked too often", "Wait a moment, then try again."],
  ROLE_NOT_FOUND: ["A role cannot be assigned there any more", "Pick the roles again."],
  USER_NOT_FOUND: ["The user is gone", "Pick another user."],
};
