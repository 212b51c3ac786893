/**
 * Every reason for a refused request, except broken message rules, with the code of its error. The table in
 * docs/reference/errors.md says when each one is given, and what its metadata holds.
 */
export const codeOf = {
  UNAUTHENTICATED: "unauthenticated",
  KEYS_UNAVAILABLE: "unavailable",
  LIMIT_EXCEEDED: "invalid_argument",
  PAGE_TOKEN_INVALID: "invalid_argument",
  RESUME_TOKEN_INVALID: "invalid_argument",
  RESUME_TOKEN_EXPIRED: "failed_precondition",
  READER_TOO_SLOW: "aborted",
  AUTHORIZATION_NOT_FOUND: "not_found",
  PERMISSION_DENIED: "permission_denied",
  AUTHORIZATION_CHANGED: "aborted",
  AUTHORIZATION_EXISTS: "already_exists",
  AUTHORIZATION_EXPIRED: "failed_precondition",
  USER_NOT_FOUND: "failed_precondition",
  ORGANIZATION_NOT_FOUND: "failed_precondition",
  PROJECT_NOT_GRANTED: "failed_precondition",
  ROLE_NOT_FOUND: "failed_precondition",
  EXPIRATION_NOT_IN_FUTURE: "failed_precondition",
  EXPIRATION_NOT_REACHED: "failed_precondition",
  VERSION_INVALID: "invalid_argument",
  DIRECTORY_CHANGED: "aborted",
  DUPLICATE_CHANGE: "failed_precondition",
  REFERENCE_NOT_FOUND: "failed_precondition",
  ADMINISTRATOR_ROLE_INVALID: "failed_precondition",
  GRANT_TO_OWNER: "failed_precondition",
  GRANT_EXISTS: "failed_precondition",
  IMMUTABLE_FIELD: "failed_precondition",
  LAST_OWNER: "failed_precondition",
  TOO_MANY_ENTRIES: "failed_precondition",
  OUTCOMES_TOO_LARGE: "resource_exhausted",
  REASON_REQUIRED: "failed_precondition",
  TOKEN_NOT_FOUND: "not_found",
  TOO_MANY_TOKENS: "resource_exhausted",
  LIFETIME_EXCEEDED: "invalid_argument",
  OVERLOADED: "unavailable",
  RATE_LIMITED: "resource_exhausted",
  DATABASE_UNAVAILABLE: "unavailable",
} as const;

export type Reason = keyof typeof codeOf;

/**
 * Refuses a request with a reason. Anything else that is thrown is a fault: it is logged, and masked from the caller.
 */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly reason: Reason;
  readonly metadata: Readonly<Record<string, string>>;

  constructor(reason: Reason, message: string, metadata: Record<string, string> = {}, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
    this.metadata = metadata;
  }
}
