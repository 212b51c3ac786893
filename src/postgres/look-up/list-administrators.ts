import sql, { join, raw, type Sql } from "sql-template-tag";
import type { Scope } from "../../authorization/permissions.ts";
import type { AdministratorPage, AdministratorQuery } from "../../directory/store.ts";
import { type EntryRow, toEntry } from "../caller-store.ts";
import type { Database } from "../database.ts";
import { clampOffset } from "../page/order.ts";

export async function listAdministrators(
  database: Database,
  query: AdministratorQuery,
  signal: AbortSignal,
): Promise<AdministratorPage> {
  type Entry = EntryRow & { user_id: string; scope_kind: number; scope_id: string };
  type Row = { total: number; more: boolean } & (Entry | { user_id: null });
  const rows = await database.query<Row>(listStatement(query), signal);
  const entries = rows.flatMap((row) => (row.user_id === null ? [] : [row]));
  const last = rows[0]?.more ? entries.at(-1) : undefined;
  return {
    total: rows[0]?.total ?? 0,
    next: last && { userId: last.user_id, kind: last.scope_kind, scopeId: last.scope_id },
    administrators: entries.map((row) => ({ userId: row.user_id, ...toEntry(row) })),
  };
}

function listStatement({ userId, scope, ascending, after, offset, limit, skipTotal }: AdministratorQuery): Sql {
  const conditions = [sql`true`];
  if (userId !== undefined) conditions.push(sql`user_id = ${userId}::text`);
  if (scope !== undefined) conditions.push(isScope(scope));
  const direction = raw(ascending ? "asc" : "desc");
  const order = sql`user_id ${direction}, scope_kind ${direction}, scope_id ${direction}`;
  const isBehind =
    after === undefined
      ? sql`true`
      : sql`(user_id, scope_kind, scope_id) ${raw(ascending ? ">" : "<")} (
          ${after.userId}::text, ${after.kind}::integer, ${after.scopeId}::text)`;
  return sql`
    with matching as (
      select user_id, organization_id, project_id, project_grant_id, roles,
        case when organization_id is not null then 1 when project_id is not null then 2
          when project_grant_id is not null then 3 else 0 end as scope_kind,
        coalesce(organization_id, project_id, project_grant_id, '') as scope_id
      from administrators
      where ${join(conditions, " and ")}
    ), ranked as materialized (
      select * from matching where ${isBehind}
      order by ${order}
      limit ${limit}::bigint + 1 offset ${clampOffset(offset)}::bigint
    ), page as (
      select * from ranked order by ${order} limit ${limit}::bigint
    )
    select t.total, (select count(*) from ranked) > ${limit}::bigint as more, p.*
    from (select ${skipTotal ? sql`0` : sql`(select count(*)::integer from matching)`} as total) t
    left join page p on true
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
