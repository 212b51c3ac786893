import type { ListQuery, SortColumn } from "../../src/authorization/list.ts";
import type { Visibility } from "../../src/authorization/permissions.ts";
import { listAuthorizations } from "../../src/postgres/list/list-authorizations.ts";
import type { Database } from "../../src/postgres/pool/database.ts";
import { pageSize } from "./bound.ts";

/** The first page; dates begin with the newest. */
export function firstPage(filters: ListQuery["filters"], column: SortColumn): ListQuery {
  const ascending = column !== "creationDate" && column !== "changeDate";
  return { filters, sort: { column, ascending }, offset: 0n, limit: pageSize };
}

/** The page behind the first one, by its position; undefined for a caller who sees no more than one page. */
export async function secondPage(
  database: Database,
  visibility: Visibility,
  column: SortColumn,
): Promise<ListQuery | undefined> {
  const query = firstPage([], column);
  const { next } = await listAuthorizations(database, visibility, query, new AbortController().signal);
  return next && { ...query, after: next };
}
