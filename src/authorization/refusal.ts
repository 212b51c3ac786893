/**
 * Every reason for a refused request, except broken message rules. The table in docs/reference/errors.md says when each
 * one is given, and what its metadata holds.
 */
export type Reason =
  | "UNAUTHENTICATED"
  | "KEYS_UNAVAILABLE"
  | "LIMIT_EXCEEDED"
  | "PAGE_TOKEN_INVALID"
  | "RESUME_TOKEN_INVALID"
  | "RESUME_TOKEN_EXPIRED"
  | "READER_TOO_SLOW"
  | "AUTHORIZATION_NOT_FOUND"
  | "PERMISSION_DENIED"
  | "AUTHORIZATION_CHANGED"
  | "AUTHORIZATION_EXISTS"
  | "AUTHORIZATION_EXPIRED"
  | "USER_NOT_FOUND"
  | "ORGANIZATION_NOT_FOUND"
  | "PROJECT_NOT_GRANTED"
  | "ROLE_NOT_FOUND"
  | "EXPIRATION_NOT_IN_FUTURE"
  | "EXPIRATION_NOT_REACHED"
  | "VERSION_INVALID"
  | "DIRECTORY_CHANGED"
  | "DUPLICATE_CHANGE"
  | "REFERENCE_NOT_FOUND"
  | "ADMINISTRATOR_ROLE_INVALID"
  | "GRANT_TO_OWNER"
  | "GRANT_EXISTS"
  | "IMMUTABLE_FIELD"
  | "LAST_OWNER"
  | "TOO_MANY_ENTRIES"
  | "OUTCOMES_TOO_LARGE"
  | "REASON_REQUIRED"
  | "TOKEN_NOT_FOUND"
  | "TOO_MANY_TOKENS"
  | "LIFETIME_EXCEEDED"
  | "OVERLOADED"
  | "RATE_LIMITED"
  | "DATABASE_UNAVAILABLE";

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
