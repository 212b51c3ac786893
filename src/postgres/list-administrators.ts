import sql, { join, raw, type Sql } from "sql-template-tag";
import type { Scope } from "../authorization/permissions.ts";
import type { AdministratorPage, AdministratorQuery } from "../directory/store.ts";
import { type EntryRow, toEntry } from "./caller-store.ts";
import type { Database } from "./database.ts";
import { clampOffset } from "./list-order.ts";

export async function listAdministrators(
  database: Database,
  query: AdministratorQuery,
  signal: AbortSignal,
): Promise<AdministratorPage> {
  type Row = EntryRow & { total: number; user_id: string | null };
  const rows = await database.query<Row>(listStatement(query), signal);
  const administrators = rows.flatMap((row) =>
    row.user_id === null ? [] : [{ userId: row.user_id, ...toEntry(row) }],
  );
  return { total: rows[0]?.total ?? 0, administrators };
}

function listStatement({ userId, scope, ascending, offset, limit }: AdministratorQuery): Sql {
  const conditions = [sql`true`];
  if (userId !== undefined) conditions.push(sql`user_id = ${userId}::text`);
  if (scope !== undefined) conditions.push(isScope(scope));
  const direction = raw(ascending ? "asc" : "desc");
  const order = sql`user_id ${direction}, scope_kind ${direction}, scope_id ${direction}`;
  return sql`
    with matching as (
      select user_id, organization_id, project_id, project_grant_id, roles,
        case when organization_id is not null then 1 when project_id is not null then 2
          when project_grant_id is not null then 3 else 0 end as scope_kind,
        coalesce(organization_id, project_id, project_grant_id, '') as scope_id
      from administrators
      where ${join(conditions, " and ")}
    ), page as (
      select * from matching order by ${order} limit ${limit}::bigint offset ${clampOffset(offset)}::bigint
    )
    select t.total, p.*
    from (select count(*)::integer as total from matching) t left join page p on true
    order by ${order}`;
}

function isScope(scope: Scope): Sql {
  switch (scope.kind) {
    case "instance":
      return sql`num_nonnulls(organization_id, project_id, project_grant_id) = 0`;
    case "organization":
      return sql`organization_id = ${scope.organizationId}::text`;
    case "project":
      return sql`project_id = ${scope.projectId}::text`;
    case "projectGrant":
      return sql`project_grant_id = ${scope.projectGrantId}::text`;
  }
}
