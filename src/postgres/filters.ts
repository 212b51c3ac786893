import sql, { join, type Sql } from "sql-template-tag";
import type { Filter, TextMatch } from "../authorization/list.ts";
import type { Scope, Visibility } from "../authorization/permissions.ts";

/**
 * True for an authorization `a` that is the caller's own or in one of its scopes. What the guard in
 * src/authorization/permissions.ts says of one authorization: the two must agree.
 */
export function isVisible({ userId, scopes }: Visibility): Sql {
  const ids: Record<Exclude<Scope["kind"], "instance">, string[]> = { organization: [], project: [], projectGrant: [] };
  for (const scope of scopes) {
    if (scope.kind === "instance") return sql`true`;
    ids[scope.kind].push(idOf(scope));
  }
  const ways = [sql`a.user_id = ${userId}::text`];
  if (ids.organization.length > 0) ways.push(sql`a.organization_id = any(${ids.organization}::text[])`);
  if (ids.project.length > 0) ways.push(sql`a.owned_project_id = any(${ids.project}::text[])`);
  if (ids.projectGrant.length > 0) ways.push(sql`a.granted_by = any(${ids.projectGrant}::text[])`);
  return sql`(${join(ways, " or ")})`;
}

function idOf(scope: Exclude<Scope, { kind: "instance" }>): string {
  switch (scope.kind) {
    case "organization":
      return scope.organizationId;
    case "project":
      return scope.projectId;
    case "projectGrant":
      return scope.projectGrantId;
  }
}

/** True for an authorization `a` that the filter matches. */
export function matches(filter: Filter): Sql {
  switch (filter.kind) {
    case "authorizationIds":
      return sql`a.id = any(${filter.ids}::text[])`;
    case "userIds":
      return sql`a.user_id = any(${filter.ids}::text[])`;
    case "userId":
      return sql`a.user_id = ${filter.id}::text`;
    case "organizationId":
      return sql`a.organization_id = ${filter.id}::text`;
    case "projectId":
      return sql`a.project_id = ${filter.id}::text`;
    case "projectGrantId":
      // Only that of grants has an index.
      return filter.id === "" ? sql`a.project_grant_id = ''` : sql`a.granted_by = ${filter.id}::text`;
    case "state":
      return sql`a.state = ${filter.state}::authorization_state`;
    case "userOrganizationId":
      return sql`a.user_organization_id = ${filter.id}::text`;
    case "userLoginName":
      return ofUsersWhere(textMatches(sql`u.preferred_login_name`, filter.match));
    case "userDisplayName":
      return ofUsersWhere(textMatches(sql`u.display_name`, filter.match));
    case "projectName":
      return sql`a.project_id in (select p.id from projects p where ${textMatches(sql`p.name`, filter.match)})`;
    case "roleKey":
      return sql`a.id in (
        select h.authorization_id
        from project_roles r join authorization_roles h on h.project_id = r.project_id and h.role_key = r.key
        where ${textMatches(sql`r.key`, filter.match)})`;
  }
}

function ofUsersWhere(condition: Sql): Sql {
  return sql`a.user_id in (select u.id from users u where ${condition})`;
}

/**
 * Indexes hold the folded form (migrations/0004_pages_and_totals.sql). A text that matches with its case matches folded
 * too, so that what the index finds only has to be compared once more.
 */
function textMatches(column: Sql, { text, method, ignoreCase }: TextMatch): Sql {
  const compare = (left: Sql, right: Sql) =>
    method === "equals" ? sql`${left} = ${right}` : sql`${left} like ${right}`;
  const value = sql`${pattern(text, method)}::text`;
  const folded = compare(sql`fold_case(${column})`, sql`fold_case(${value})`);
  return ignoreCase ? folded : sql`${folded} and ${compare(column, value)}`;
}

/** What LIKE needs to find the text literally; the characters it gives a meaning are escaped. */
function pattern(text: string, method: TextMatch["method"]): string {
  const literal = text.replace(/[\\%_]/g, "\\$&");
  switch (method) {
    case "equals":
      return text;
    case "startsWith":
      return `${literal}%`;
    case "contains":
      return `%${literal}%`;
    case "endsWith":
      return `%${literal}`;
  }
}
