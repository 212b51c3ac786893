import sql, { type Sql } from "sql-template-tag";
import { type Caller, holdsAnywhere, visibilityOf } from "../../authorization/permissions.ts";
import { isVisible } from "../list/filter-kinds.ts";

/**
 * True for a user `u` that is named by its exact id and that the caller may know of: itself, users of organizations
 * where it may read by an entry on them or on the instance, users of authorizations it sees, and, when it may write
 * anywhere, any user.
 */
export function mayKnow(caller: Caller): Sql {
  if (mayKnowAnyone(caller)) return sql`true`;
  const visibility = visibilityOf(caller);
  const organizations = visibility.scopes.flatMap((scope) =>
    scope.kind === "organization" ? [scope.organizationId] : [],
  );
  // The user's authorizations are few, and to be found by nothing but their user.
  return sql`(
    u.id = ${caller.userId}::text
    or u.organization_id = any(${organizations}::text[])
    or exists (
      select from (select * from authorizations where user_id = u.id offset 0) a where ${isVisible(visibility)}))`;
}

/** Whether the caller may know of every user there is. */
export function mayKnowAnyone(caller: Caller): boolean {
  const readsEverywhere = visibilityOf(caller).scopes.some((scope) => scope.kind === "instance");
  return readsEverywhere || holdsAnywhere(caller, "user.grant.write");
}
