/** A change that cannot be applied, by its place in the request; the first with it when they name the same thing. */
export type Problem = { readonly reason: string; readonly index?: number; readonly firstIndex?: number };

/** What the model says no with. */
export class Refused extends Error {
  /** All there is to refuse for. Any of it may be told. */
  readonly problems: readonly Problem[];
  /** Undefined where it is the place of the problem, and words. */
  readonly metadata: Record<string, string> | undefined;

  constructor(problems: string | readonly Problem[], metadata?: Record<string, string>) {
    super(JSON.stringify(problems));
    this.problems = typeof problems === "string" ? [{ reason: problems }] : problems;
    this.metadata = metadata;
  }
}

/** The HTTP status and the code of every reason (docs/reference/errors.md). */
export const answerOf: Record<string, { status: number; code: string }> = {
  UNAUTHENTICATED: { status: 401, code: "unauthenticated" },
  LIMIT_EXCEEDED: { status: 400, code: "invalid_argument" },
  AUTHORIZATION_NOT_FOUND: { status: 404, code: "not_found" },
  PERMISSION_DENIED: { status: 403, code: "permission_denied" },
  AUTHORIZATION_CHANGED: { status: 409, code: "aborted" },
  USER_NOT_FOUND: { status: 400, code: "failed_precondition" },
  ORGANIZATION_NOT_FOUND: { status: 400, code: "failed_precondition" },
  PROJECT_NOT_GRANTED: { status: 400, code: "failed_precondition" },
  ROLE_NOT_FOUND: { status: 400, code: "failed_precondition" },
  EXPIRATION_NOT_IN_FUTURE: { status: 400, code: "failed_precondition" },
  EXPIRATION_NOT_REACHED: { status: 400, code: "failed_precondition" },
  AUTHORIZATION_EXPIRED: { status: 400, code: "failed_precondition" },
  AUTHORIZATION_EXISTS: { status: 409, code: "already_exists" },
  DUPLICATE_CHANGE: { status: 400, code: "failed_precondition" },
  REFERENCE_NOT_FOUND: { status: 400, code: "failed_precondition" },
  ADMINISTRATOR_ROLE_INVALID: { status: 400, code: "failed_precondition" },
  GRANT_TO_OWNER: { status: 400, code: "failed_precondition" },
  GRANT_EXISTS: { status: 400, code: "failed_precondition" },
  IMMUTABLE_FIELD: { status: 400, code: "failed_precondition" },
  LAST_OWNER: { status: 400, code: "failed_precondition" },
};
