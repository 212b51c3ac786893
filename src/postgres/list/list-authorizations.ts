import sql, { join, raw, type Sql } from "sql-template-tag";
import type { ListQuery, Page } from "../../authorization/list.ts";
import type { Visibility } from "../../authorization/permissions.ts";
import type { Database } from "../database.ts";
import { clampOffset, isBehind, orderBy, sortKey } from "../page/order.ts";
import { topOfEach } from "../page/top-of-sources.ts";
import { namedByText, type Statement } from "../prepared.ts";
import { type Narrowing, narrow, type Reach, reachOf } from "../seen/reach.ts";
import { keptTotal } from "./kept-totals.ts";
import { type ListedRow, selectListed, toAuthorization } from "./listed-authorizations.ts";
import { isMatching } from "./matching.ts";

/** Reads the total and the page in one statement, so that both are of one moment. */
export async function listAuthorizations(
  database: Database,
  visibility: Visibility,
  query: ListQuery,
  signal: AbortSignal,
  most = fewRows,
): Promise<Page> {
  type Row = { total: number; more: boolean } & (ListedRow | { id: null });
  const rows = await database.query<Row>(listStatement(visibility, query, most), signal);
  const authorizations = rows.flatMap((row) => (row.id === null ? [] : [toAuthorization(row)]));
  return { total: rows[0]?.total ?? 0, more: rows[0]?.more ?? false, authorizations };
}

/**
 * Where not all rows that match have to be read for the total: up to so many are read and sorted; of more, the page is
 * read in the order of an index. Both are right for any number; tests take a small one.
 */
export const fewRows = 5_000;

/** The statement alone, for tests of its shapes and plans. */
export function listStatement(visibility: Visibility, query: ListQuery, most = fewRows): Statement {
  const narrowing = narrow(query.filters);
  const reach = reachOf(visibility, narrowing);
  const { ascending } = query.sort;
  const order = orderBy(sql`key`, sql`id`, ascending);
  const { tables, total } = candidates(visibility, query, reach, narrowing, raw(String(most)));
  // One row more than the page tells whether there is a next one. The total stands beside the page, because past the
  // last page there is no row to carry it.
  const limit = sql`${query.limit}::bigint`;
  const statement = sql`
    with ${join(tables, ", ")}, ranked as materialized (
      select key, id from candidates
      order by ${order}
      limit ${limit} + 1 offset ${clampOffset(query.offset)}::bigint
    )
    select t.*, l.*
    from (
      select ${query.skipTotal ? sql`0` : total} as total, (select count(*) from ranked) > ${limit} as more) t
    left join (${selectListed(sql`select id from ranked order by ${order} limit ${limit}`)}) l on true
    order by l.position`;
  return narrowing.others.length === 0 ? namedByText(statement) : statement;
}

/** What the page is picked from, as `candidates`, and the total. */
function candidates(visibility: Visibility, query: ListQuery, reach: Reach, narrowing: Narrowing, few: Sql) {
  const { after, sort, skipTotal } = query;
  const isKept = narrowing.others.length === 0;
  // Planned for all rows, however few are read in the end: a plan for the first rows only is a gamble.
  const matching = sql`matching as materialized (
      select ${sortKey(sort.column)} as key, a.id from authorizations a where ${isMatching(visibility, query.filters)})`;
  const behind = after === undefined ? sql`true` : isBehind(after, sql`key`, sql`id`, sort.ascending);
  if (!isKept && !skipTotal) {
    // All of them have to be read for the total.
    const tables = [matching, sql`candidates as (select key, id from matching where ${behind})`];
    return { tables, total: sql`(select count(*)::integer from matching)` };
  }
  const places = reach.places === undefined ? [] : [sql`reach as materialized (${reach.places})`];
  const top = [...places, ...topOfEach(reach, narrowing, query)];
  if (isKept && narrowing.state === undefined) {
    return { tables: [...top, sql`candidates as (select key, id from walked)`], total: keptTotal(reach, narrowing) };
  }
  const tables = [
    ...top,
    matching,
    sql`few as materialized (select key, id from matching limit ${few} + 1)`,
    sql`size as materialized (select ${isKept ? keptTotal(reach, narrowing) : sql`(select count(*) from few)`} as size)`,
    sql`candidates as (
      select key, id from few where (select size from size) <= ${few} and ${behind}
      union all
      select key, id from walked where (select size from size) > ${few})`,
  ];
  return { tables, total: sql`(select size from size)` };
}
