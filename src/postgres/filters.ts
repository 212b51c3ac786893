import sql, { join, type Sql } from "sql-template-tag";
import type { Instant } from "../authorization/authorization.ts";
import { isInstant } from "../authorization/instant.ts";
import type { DateRange, SimpleFilter, TextMatch } from "../authorization/list.ts";
import type { Scope, Visibility } from "../authorization/permissions.ts";
import { formatInstant } from "./instants.ts";

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

/**
 * How a filter is asked of an authorization `a`: of a column of it, which may be null, or of rows that belong to it, of
 * which there are some where it matches. With both, an index finds the rows.
 */
export type Condition = { readonly column?: Sql; readonly rows?: Rows };

export type Rows = {
  /** A table, and which of its rows belong to the authorization. */
  readonly of: Sql;
  readonly where: Sql;
  /** Whether exactly one row belongs to each authorization. */
  readonly one?: boolean;
  /** The same as a whole, for authorizations that are at hand. */
  readonly atHand?: Sql;
};

export function conditionOf(filter: SimpleFilter): Condition {
  switch (filter.kind) {
    case "authorizationIds":
      return { column: sql`a.id = any(${filter.ids}::text[])` };
    case "userIds":
      return { column: sql`a.user_id = any(${filter.ids}::text[])` };
    case "userId":
      return { column: sql`a.user_id = ${filter.id}::text` };
    case "organizationId":
      return { column: sql`a.organization_id = ${filter.id}::text` };
    case "projectId":
      return { column: sql`a.project_id = ${filter.id}::text` };
    case "projectIds":
      return { column: sql`a.project_id = any(${filter.ids}::text[])` };
    case "projectGrantId":
      // Only that of grants has an index.
      return filter.id === ""
        ? { column: sql`a.project_grant_id = ''` }
        : { column: sql`a.granted_by = ${filter.id}::text` };
    case "state":
      return { column: sql`a.state = ${filter.state}::authorization_state` };
    case "userOrganizationId":
      return { column: sql`a.user_organization_id = ${filter.id}::text` };
    case "created":
      return { column: isWithin(sql`a.creation_date`, filter.range) };
    case "changed":
      return {
        column: isWithin(sql`a.change_date`, filter.range),
        rows: {
          of: sql`authorization_change_dates c where c.id = a.id`,
          where: isWithin(sql`c.change_date`, filter.range),
        },
      };
    case "userLoginName":
      return { rows: one(sql`users u where u.id = a.user_id`, textMatches(sql`u.preferred_login_name`, filter.match)) };
    case "userDisplayName":
      return { rows: one(sql`users u where u.id = a.user_id`, textMatches(sql`u.display_name`, filter.match)) };
    case "projectName":
      return { rows: one(sql`projects p where p.id = a.project_id`, textMatches(sql`p.name`, filter.match)) };
    case "organizationName":
      return {
        rows: one(sql`organizations o where o.id = a.organization_id`, textMatches(sql`o.name`, filter.match)),
      };
    case "roleKey":
      return { rows: { of: heldRoles, where: textMatches(sql`r.key`, filter.match) } };
    case "roleKeys":
      return {
        rows: {
          of: heldRoles,
          where: isAnyKey(filter.keys),
          atHand: sql`authorization_roles h where h.authorization_id = a.id and h.role_key = any(${filter.keys}::text[])`,
        },
      };
  }
}

function one(of: Sql, where: Sql): Rows {
  return { of, where, one: true };
}

const heldRoles = sql`project_roles r join authorization_roles h on h.project_id = r.project_id and h.role_key = r.key
        where h.authorization_id = a.id`;

/** By the folded form, which has an index. All keys are folded as one text, so that Postgres plans for what they are. */
function isAnyKey(keys: readonly string[]): Sql {
  const quoted = keys.map((key) => `"${key.replace(/["\\]/g, "\\$&")}"`);
  return sql`fold_case(r.key) = any(fold_case(${`{${quoted.join(",")}}`}::text)::text[])
        and r.key = any(${keys}::text[])`;
}

/** Where no end is left out, the end is the first moment that is not in the range. */
export function isWithin(date: Sql, { from, to }: DateRange): Sql {
  const conditions = [];
  if (from !== undefined) conditions.push(sql`${date} >= ${moment(from)}::timestamptz`);
  if (to !== undefined) conditions.push(sql`${date} < ${moment(to)}::timestamptz`);
  return sql`(${join(conditions, " and ")})`;
}

/** What is finer than the last microsecond there is comes after all that is kept. */
function moment(instant: Instant): string {
  return isInstant(instant) ? formatInstant(instant) : "infinity";
}

/**
 * Indexes hold the folded form (migrations/0001_directory.sql). A text that matches with its case matches folded
 * too, so that what the index finds only has to be compared once more.
 */
export function textMatches(column: Sql, { text, method, ignoreCase }: TextMatch): Sql {
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
