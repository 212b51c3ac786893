/** A call that is refused, and how. */
export type Expected = {
  readonly rpc: string;
  readonly request: object;
  readonly as?: "carol" | "bob" | "no";
  readonly code: string;
  readonly reason: string;
};

const violations = "buf.validate.Violations";
const place = { userId: "bob", projectId: "helpdesk", organizationId: "globex" };

/** Everything that callers of AuthorizationService can do wrong with the messages that all clients know. */
export const errors: readonly Expected[] = [
  { rpc: "ListAuthorizations", request: {}, as: "no", code: "unauthenticated", reason: "UNAUTHENTICATED" },
  {
    rpc: "ListAuthorizations",
    request: { pagination: { limit: 1_001 } },
    code: "invalidargument",
    reason: "LIMIT_EXCEEDED",
  },
  { rpc: "UpdateAuthorization", request: { id: "" }, code: "invalidargument", reason: violations },
  { rpc: "DeleteAuthorization", request: { id: "never" }, code: "notfound", reason: "AUTHORIZATION_NOT_FOUND" },
  { rpc: "CreateAuthorization", request: place, code: "alreadyexists", reason: "AUTHORIZATION_EXISTS" },
  {
    rpc: "CreateAuthorization",
    request: { ...place, userId: "no-one" },
    code: "failedprecondition",
    reason: "USER_NOT_FOUND",
  },
  {
    rpc: "CreateAuthorization",
    request: { ...place, organizationId: "nowhere" },
    code: "failedprecondition",
    reason: "ORGANIZATION_NOT_FOUND",
  },
  {
    rpc: "CreateAuthorization",
    request: { ...place, projectId: "nothing" },
    code: "failedprecondition",
    reason: "PROJECT_NOT_GRANTED",
  },
  {
    rpc: "CreateAuthorization",
    request: { ...place, userId: "ann", roleKeys: ["king"] },
    code: "failedprecondition",
    reason: "ROLE_NOT_FOUND",
  },
  {
    rpc: "CreateAuthorization",
    request: { ...place, userId: "ann" },
    as: "bob",
    code: "permissiondenied",
    reason: "PERMISSION_DENIED",
  },
];
