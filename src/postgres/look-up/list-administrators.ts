import sql, { type Sql } from "sql-template-tag";
import { type Caller, type Visibility, visibilityOf } from "../../authorization/permissions.ts";
import type { AdministratorPage, AdministratorPosition, AdministratorQuery } from "../../directory/store.ts";
import { orderBy, pageStatement, ranks, readPage, rowsFor } from "../page/page.ts";
import { countOfSources, topOfSources } from "../page/top-of-sources.ts";
import type { Database } from "../pool/database.ts";
import {
  columnsOfNames,
  columnsOfUser,
  type NamedEntryRow,
  namesOfEntry,
  toSource,
  toUser,
  type UserRow,
} from "../seen/named-entries.ts";
import { reachEverything } from "../seen/scopes.ts";
import { administratorSources } from "./administrator-sources.ts";

type Row = UserRow & NamedEntryRow;

export async function listAdministrators(
  database: Database,
  caller: Caller,
  query: AdministratorQuery,
  signal: AbortSignal,
): Promise<AdministratorPage> {
  const statement = administratorStatement(visibilityOf(caller), query);
  const { total, more, rows } = await readPage<Row>(database, statement, signal);
  const last = more ? rows.at(-1) : undefined;
  return {
    total,
    next: last && positionOf(last),
    entries: rows.map((row) => ({ user: toUser(row), ...toSource(row) })),
  };
}

function positionOf({ user_id, scope }: Row): AdministratorPosition {
  return { userId: user_id, kind: Number(scope[0]), scopeId: scope.slice(1) };
}

/** Only the statement, for tests of its plans. */
export function administratorStatement(visibility: Visibility, query: AdministratorQuery): Sql {
  const { ascending, after: position } = query;
  const after = position && { key: sql`${position.userId}::text`, id: sql`${position.kind + position.scopeId}::text` };
  const order = orderBy({ key: sql`key`, id: sql`id` }, ascending);
  const listed = (page: Sql) => sql`
    select page.position, e.scope, e.roles,
      ${columnsOfUser}, ${columnsOfNames}
    from (select *, row_number() over (order by ${order}) as position from (${page}) page) page
    cross join lateral (select * from administrators where user_id = page.key and scope = page.id limit 1) e
    cross join lateral (select * from users where id = e.user_id limit 1) u
    ${namesOfEntry}`;
  return pageStatement({ ...found(visibility, query, after), order, listed }, query);
}

type End = { readonly key: Sql; readonly id: Sql };

function found(visibility: Visibility, query: AdministratorQuery, after: End | undefined) {
  const { userId, scope, role, ascending } = query;
  if (reachEverything(visibility.scopes) && role !== undefined && userId === undefined && scope === undefined) {
    return withRole(role, ascending, after);
  }
  const { tables, sources, places } = administratorSources(visibility, query);
  // The total is that of all pages, also behind the first one.
  const all = administratorSources(visibility, { ...query, after: undefined });
  return {
    tables: [
      ...tables,
      ...topOfSources(sources, { ascending, after }, rowsFor(query), places),
      sql`candidates as (select key, id from walked)`,
    ],
    total: sql`(${countOfSources(all.sources)})::integer`,
  };
}

/** All entries with a role, for callers who see everything. An index finds them, however few they are. */
function withRole(role: string, ascending: boolean, after: End | undefined) {
  const behind = after === undefined ? sql`true` : ranks({ key: sql`key`, id: sql`id` }, "behind", after, ascending);
  return {
    tables: [
      sql`matching as materialized (
      select user_id as key, scope as id from administrators where roles @> array[${role}::text])`,
      sql`candidates as (select key, id from matching where ${behind})`,
    ],
    total: sql`(select count(*)::integer from matching)`,
  };
}
