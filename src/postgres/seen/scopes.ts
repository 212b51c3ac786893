import sql, { join, raw, type Sql } from "sql-template-tag";
import type { Scope, Visibility } from "../../authorization/permissions.ts";

/** The kinds of scope that have an id. An entry on the instance reaches every row. */
type Kind = Exclude<Scope["kind"], "instance">;
/** Holders are users with authorizations. */
type Table = "authorizations" | "holders" | "users" | "projects" | "project_grants";

/**
 * The complete rule for rows that have a column for it, except for own authorizations: for each kind of scope, the column
 * with the id of the scope that reaches the row. Events are in places.ts. `covers` in src/authorization/permissions.ts
 * decides the same for one place, and must agree.
 */
const columns: Record<Kind, Partial<Record<Table, string>>> = {
  organization: {
    authorizations: "organization_id",
    holders: "user_organization_id",
    users: "organization_id",
    projects: "organization_id",
    project_grants: "organization_id",
  },
  project: { authorizations: "owned_project_id", projects: "id" },
  projectGrant: { authorizations: "granted_by", project_grants: "id" },
};

/** Whether one of the scopes reaches everything. */
export function reachEverything(scopes: readonly Scope[]): boolean {
  return scopes.some(({ kind }) => kind === "instance");
}

/** True for an authorization `a` that is the caller's own or in one of its scopes. */
export function isVisible(visibility: Visibility): Sql {
  if (reachEverything(visibility.scopes)) return sql`true`;
  return any([isOwn(visibility, sql`a`), ...waysTo("authorizations", sql`a`, visibility.scopes)]);
}

/** True for an authorization or an event that the caller sees. */
export function isOwn({ userId }: Visibility, as: Sql): Sql {
  return sql`${as}.user_id = ${userId}::text`;
}

/** True for a row of the table that one of the scopes reaches. Ignores entries on the instance. */
export function isReached(table: Table, as: Sql, scopes: readonly Scope[]): Sql {
  return any(waysTo(table, as, scopes));
}

function waysTo(table: Table, as: Sql, scopes: readonly Scope[]): Sql[] {
  return (Object.keys(columns) as Kind[]).flatMap((kind) => {
    const [column, ids] = [columns[kind][table], idsOf(kind, scopes)];
    return column === undefined || ids.length === 0 ? [] : [sql`${as}.${raw(column)} = any(${ids}::text[])`];
  });
}

export function idsOf(kind: Kind, scopes: readonly Scope[]): string[] {
  return scopes.flatMap((scope) => (scope.kind === kind ? [scope.id] : []));
}

/** True if one of the conditions is. */
export function any(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`false` : sql`(${join([...conditions], " or ")})`;
}
