import sql, { raw, type Sql } from "sql-template-tag";
import type { ListQuery, Page } from "../../authorization/list.ts";
import type { Visibility } from "../../authorization/permissions.ts";
import { orderBy, pageStatement, ranks, readBoundedPage, rowsFor } from "../page/page.ts";
import { topOfSources } from "../page/top-of-sources.ts";
import type { Database } from "../pool/database.ts";
import { formatInstant } from "../pool/instants.ts";
import { namedByText, type Statement } from "../pool/prepared.ts";
import { authorizations } from "../seen/places.ts";
import { reachOf, reachTable } from "../seen/reach.ts";
import { type ListedRow, selectListed, toAuthorization } from "./listed-authorizations.ts";
import { isMatching } from "./matching.ts";
import { type Narrowing, narrow } from "./normal-form.ts";
import { withKeys } from "./place-names.ts";
import { dueTable, keptTotal, keyOf, sourcesOf } from "./sources.ts";

/** Reads the total and the page in one statement, so both come from the same snapshot. */
export async function listAuthorizations(
  database: Database,
  visibility: Visibility,
  query: ListQuery,
  signal: AbortSignal,
): Promise<Page> {
  const statementOf = (part: ListQuery) => listStatement(visibility, part);
  const { rows, total, more } = await readBoundedPage<ListedRow, ListQuery>(database, query, statementOf, signal);
  const last = more ? rows.at(-1) : undefined;
  const next = last?.key == null ? undefined : { key: last.key, id: last.id };
  return { total, next, authorizations: rows.map(toAuthorization) };
}

/**
 * If the total doesn't require reading all matches, up to this many are read and sorted. If there are more, the page is
 * read in the order of an index. The result is the same for any number.
 */
export const fewRows = 5_000;

/** Only the statement, for tests of its shapes and plans. */
export function listStatement(visibility: Visibility, query: ListQuery): Statement {
  const narrowing = narrow(query.filters);
  const listing = {
    ...candidates(visibility, query, narrowing),
    order: orderBy({ key: sql`key`, id: sql`id` }, query.sort.ascending),
    listed: (page: Sql) => selectListed(page, query),
  };
  const statement = pageStatement(listing, query);
  return narrowing.others.length === 0 ? namedByText(statement) : statement;
}

/** The rows to pick the page from, as `candidates`, and the total. */
function candidates(visibility: Visibility, query: ListQuery, narrowing: Narrowing): { tables: Sql[]; total: Sql } {
  const few = raw(String(fewRows));
  const { filters, sort, skipTotal } = query;
  const { ascending } = sort;
  const isKept = narrowing.others.length === 0;
  // Planned for all rows, however few are read: a plan for only the first ones is a gamble.
  const matching = sql`matching as materialized (
      select ${keyOf(sort)} as key, a.id from authorizations a where ${isMatching(visibility, filters)})`;
  const among = (found: Sql) => withKeys(sort.column, found);
  const after = query.after && { key: keyValue(query.after.key), id: sql`${query.after.id}::text` };
  const behind = after === undefined ? sql`true` : ranks({ key: sql`key`, id: sql`id` }, "behind", after, ascending);
  if (!isKept && !skipTotal) {
    // All matches have to be read for the total.
    const tables = [matching, sql`candidates as (select key, id from ${among(sql`matching`)} where ${behind})`];
    return { tables, total: sql`(select count(*)::integer from matching)` };
  }
  const reach = reachOf(visibility, narrowing, authorizations);
  const sources = sourcesOf(reach, narrowing, sort);
  const top = [
    ...reachTable(reach),
    ...dueTable,
    ...topOfSources(sources, { ascending, after }, rowsFor(query), reach.size),
  ];
  if (isKept && narrowing.state === undefined) {
    return { tables: [...top, sql`candidates as (select key, id from walked)`], total: keptTotal(reach, narrowing) };
  }
  const size = isKept ? keptTotal(reach, narrowing) : sql`(select count(*) from first_matches)`;
  const tables = [
    ...top,
    matching,
    sql`first_matches as materialized (select key, id from matching limit ${few} + 1)`,
    sql`size as materialized (select ${size} as size)`,
    sql`candidates as (
      select key, id from ${among(sql`first_matches`)} where (select size from size) <= ${few} and ${behind}
      union all
      select key, id from walked where (select size from size) > ${few})`,
  ];
  return { tables, total: sql`(select size from size)` };
}

function keyValue(key: string | bigint): Sql {
  return typeof key === "bigint" ? sql`${formatInstant(key)}::timestamptz` : sql`${key}::text`;
}
