import sql, { raw, type Sql } from "sql-template-tag";
import { toRfc3339 } from "../../authorization/instant.ts";
import type { ListQuery } from "../../authorization/list.ts";
import type { Visibility } from "../../authorization/permissions.ts";
import type { AuthorizationStore } from "../../authorization/store.ts";
import { countOf, isBehindPage, type Order, orderBy, pageStatement, readPage, rowsFor } from "../page/page.ts";
import { topOfSources } from "../page/top-of-sources.ts";
import type { Database } from "../pool/database.ts";
import { namedByText, type Statement } from "../pool/prepared.ts";
import { authorizations } from "../seen/places.ts";
import { reachOf, reachTable } from "../seen/reach.ts";
import { selectListed, shown } from "./listed-authorizations.ts";
import { isMatching } from "./matching.ts";
import { type Narrowing, narrow } from "./normal-form.ts";
import { withKeys } from "./place-names.ts";
import { type Found, searchOf, tooManyUsers } from "./search.ts";
import { dueTable, keptTotal, keyOf, matchesInState, sourcesOf } from "./sources.ts";

/** Reads the total and the page in one statement, so both come from the same snapshot. */
export const listAuthorizations =
  (database: Database): AuthorizationStore["list"] =>
  async (visibility, query, signal) => {
    const search = searchOf(visibility, query);
    const found = search && (await readPage(database, searchStatement(search, query), shown, signal));
    const isFound = found !== undefined && found.total !== tooManyUsers;
    return isFound ? found : readPage(database, listStatement(visibility, query), shown, signal);
  };

/**
 * If the total doesn't require reading all matches, up to this many are read and sorted. If there are more, the page is
 * read in the order of an index. The result is the same for any number.
 */
export const fewRows = 5_000;

/** Only the statement, for tests of its shapes and plans. */
export function listStatement(visibility: Visibility, query: ListQuery): Statement {
  const narrowing = narrow(query.filters);
  const statement = statementOf(query, candidates(visibility, query, narrowing));
  return narrowing.others.length === 0 ? namedByText(statement) : statement;
}

/** The same for a search whose plan is kept. */
export function searchStatement({ tables, total }: Found, query: ListQuery): Statement {
  return namedByText(statementOf(query, { tables: [...tables, candidatesOf(query, sql`matching`)], total }));
}

function statementOf(query: ListQuery, found: Found): Sql {
  const order = orderBy({ key: sql`key`, id: sql`id` }, query.sort.ascending);
  return pageStatement({ ...found, order, listed: (page) => selectListed(page, query) }, query);
}

/** The rows to pick the page from, as `candidates`, and the total. */
function candidates(visibility: Visibility, query: ListQuery, narrowing: Narrowing): Found {
  const few = raw(String(fewRows));
  const { filters, sort, skipTotal } = query;
  const isKept = narrowing.others.length === 0;
  // Planned for all rows, however few are read: a plan for only the first ones is a gamble.
  const matching = sql`matching as materialized (
      select ${keyOf(sort)} as key, a.id from authorizations a where ${isMatching(visibility, filters)})`;
  if (!isKept && !skipTotal) {
    // All matches have to be read for the total.
    const tables = [matching, candidatesOf(query, sql`matching`)];
    return { tables, total: countOf(sql`matching`) };
  }
  const reach = reachOf(visibility, narrowing, authorizations);
  const sources = sourcesOf(reach, narrowing, sort);
  const top = [...reachTable(reach), ...dueTable, ...topOfSources(sources, orderOf(query), rowsFor(query), reach.size)];
  if (isKept && narrowing.state === undefined) {
    return { tables: [...top, sql`candidates as (select key, id from walked)`], total: keptTotal(reach, narrowing) };
  }
  const size = isKept ? keptTotal(reach, narrowing) : sql`(select count(*) from first_matches)`;
  const inState = isKept && !reach.everything;
  const tables = [
    ...top,
    inState ? sql`matching as materialized (${matchesInState(reach, narrowing, sort)})` : matching,
    sql`first_matches as materialized (select key, id from matching limit ${few} + 1)`,
    sql`size as materialized (select ${size} as size)`,
    candidatesOf(
      query,
      sql`first_matches`,
      sql`(select size from size) <= ${few}`,
      sql`
      union all
      select key, id from walked where (select size from size) > ${few}`,
    ),
  ];
  return { tables, total: sql`(select size from size)` };
}

/** Those of what was found that are behind the previous page. */
function candidatesOf(query: ListQuery, found: Sql, condition = sql`true`, others = sql``): Sql {
  const behind = isBehindPage({ key: sql`key`, id: sql`id` }, orderOf(query));
  return sql`candidates as (
      select key, id from ${withKeys(query.sort.column, found)} where ${condition} and ${behind}${others})`;
}

function orderOf({ sort, after }: ListQuery): Order {
  return {
    ascending: sort.ascending,
    after: after && { key: keyValue(after.key), id: sql`${after.id}::text` },
  };
}

function keyValue(key: string | bigint): Sql {
  return typeof key === "bigint" ? sql`${toRfc3339(key)}::timestamptz` : sql`${key}::text`;
}
