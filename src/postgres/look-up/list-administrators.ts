import sql, { join, raw, type Sql } from "sql-template-tag";
import type { AdministratorPage, AdministratorQuery } from "../../directory/store.ts";
import type { Database } from "../database/database.ts";
import { pageStatement, readPage } from "../page/page.ts";
import { type EntryRow, toEntry } from "../seen/entries.ts";
import { isReached, reachEverything } from "../seen/scopes.ts";

type Row = EntryRow & { user_id: string; scope_kind: number; scope_id: string };

export async function listAdministrators(
  database: Database,
  query: AdministratorQuery,
  signal: AbortSignal,
): Promise<AdministratorPage> {
  const { total, more, rows } = await readPage<Row>(database, listStatement(query), signal);
  const last = more ? rows.at(-1) : undefined;
  return {
    total,
    next: last && { userId: last.user_id, kind: last.scope_kind, scopeId: last.scope_id },
    administrators: rows.map((row) => ({ userId: row.user_id, ...toEntry(row) })),
  };
}

function listStatement(query: AdministratorQuery): Sql {
  const { userId, scope, ascending, after } = query;
  const conditions = [sql`true`];
  if (userId !== undefined) conditions.push(sql`a.user_id = ${userId}::text`);
  if (scope !== undefined) {
    const isOnInstance = sql`num_nonnulls(a.organization_id, a.project_id, a.project_grant_id) = 0`;
    conditions.push(reachEverything([scope]) ? isOnInstance : isReached("administrators", sql`a`, [scope]));
  }
  const direction = raw(ascending ? "asc" : "desc");
  const order = sql`user_id ${direction}, scope_kind ${direction}, scope_id ${direction}`;
  const isBehind =
    after === undefined
      ? sql`true`
      : sql`(user_id, scope_kind, scope_id) ${raw(ascending ? ">" : "<")} (
          ${after.userId}::text, ${after.kind}::integer, ${after.scopeId}::text)`;
  const matching = sql`matching as (
      select a.user_id, a.organization_id, a.project_id, a.project_grant_id, a.roles,
        case when a.organization_id is not null then 1 when a.project_id is not null then 2
          when a.project_grant_id is not null then 3 else 0 end as scope_kind,
        coalesce(a.organization_id, a.project_id, a.project_grant_id, '') as scope_id
      from administrators a
      where ${join(conditions, " and ")})`;
  const listing = {
    tables: [matching, sql`candidates as (select * from matching where ${isBehind})`],
    order,
    total: sql`(select count(*)::integer from matching)`,
    listed: (page: Sql) => sql`
      select *, row_number() over (order by ${order}) as position from (${page}) page`,
  };
  return pageStatement(listing, query);
}
