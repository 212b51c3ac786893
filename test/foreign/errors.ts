/** A call that is refused, and how. */
type Refused = readonly [rpc: string, request: object, code: string, reason: string, as?: "bob" | "no"];

const place = { userId: "bob", projectId: "helpdesk", organizationId: "globex" };

const refused: readonly Refused[] = [
  ["ListAuthorizations", {}, "unauthenticated", "UNAUTHENTICATED", "no"],
  ["ListAuthorizations", { pagination: { limit: 1_001 } }, "invalidargument", "LIMIT_EXCEEDED"],
  ["UpdateAuthorization", { id: "" }, "invalidargument", "buf.validate.Violations"],
  ["DeleteAuthorization", { id: "never" }, "notfound", "AUTHORIZATION_NOT_FOUND"],
  ["CreateAuthorization", place, "alreadyexists", "AUTHORIZATION_EXISTS"],
  ["CreateAuthorization", { ...place, userId: "no-one" }, "failedprecondition", "USER_NOT_FOUND"],
  ["CreateAuthorization", { ...place, organizationId: "nowhere" }, "failedprecondition", "ORGANIZATION_NOT_FOUND"],
  ["CreateAuthorization", { ...place, projectId: "nothing" }, "failedprecondition", "PROJECT_NOT_GRANTED"],
  ["CreateAuthorization", { ...place, userId: "ann", roleKeys: ["king"] }, "failedprecondition", "ROLE_NOT_FOUND"],
  ["CreateAuthorization", { ...place, userId: "ann" }, "permissiondenied", "PERMISSION_DENIED", "bob"],
];

/** Everything that callers of AuthorizationService can do wrong with the messages that all clients know. */
export const errors = refused.map(([rpc, request, code, reason, as]) => ({ rpc, request, code, reason, as }));
