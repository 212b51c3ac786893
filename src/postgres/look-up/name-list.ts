import sql, { type Sql } from "sql-template-tag";
import type { LookUpPage, LookUpQuery, OrganizationFilter } from "../../directory/look-ups.ts";
import { textMatches, wordsMatch } from "../page/comparisons.ts";
import { type Listing, pageStatement, readBoundedPage } from "../page/page.ts";
import type { Database } from "../pool/database.ts";

/** A list sorted by name, ignoring case. */
export type NameList = Omit<Listing, "listed"> & {
  /** Selects the fields to show for the rows of `page`, with their position, key and id. */
  readonly listed: Sql;
};

/** The order of all look-ups except assignable projects. */
export const byName = sql`key, id`;

export async function readNameList<Row extends { id: string; key: string }, Thing, Filter>(
  database: Database,
  listOf: (query: LookUpQuery<Filter>) => NameList,
  query: LookUpQuery<Filter>,
  toThing: (row: Row) => Thing,
  signal: AbortSignal,
): Promise<LookUpPage<Thing>> {
  type Read = Row & { place_id?: string };
  const statementOf = (part: LookUpQuery<Filter>) => nameListStatement(listOf(part), part);
  const { total, more, rows } = await readBoundedPage<Read, LookUpQuery<Filter>>(database, query, statementOf, signal);
  const last = more ? rows.at(-1) : undefined;
  return {
    total,
    next: last && { name: last.key, id: last.id, organizationId: last.place_id ?? "" },
    things: rows.map(toThing),
  };
}

export function nameListStatement({ listed, ...list }: NameList, query: LookUpQuery<unknown>): Sql {
  const numbered = (page: Sql) => sql`
      with page as materialized (
        select *, row_number() over (order by ${list.order}) as position from (${page}) page)${listed}`;
  return pageStatement({ ...list, listed: numbered }, query);
}

/**
 * A list that is picked from all matches. If everything matches, rows are read in the order of the index of names;
 * otherwise all matches are read.
 *
 * @param matching selects the sort columns, and other columns that the page needs
 */
export function amongMatching(matching: Sql, isEverything: boolean, isBehind: Sql): Pick<NameList, "tables" | "total"> {
  return {
    tables: [
      sql`matching as ${isEverything ? sql`not materialized` : sql`materialized`} (${matching})`,
      sql`candidates as (select * from matching where ${isBehind})`,
    ],
    total: countOf(sql`matching`),
  };
}

/** True for an organization or a project that the filter matches by its id or its name. */
export function isNamed(thing: Sql, filter: OrganizationFilter): Sql {
  switch (filter.kind) {
    case "ids":
      return sql`${thing}.id = any(${filter.ids}::text[])`;
    case "name":
      return textMatches(sql`${thing}.name`, filter.match);
    case "search":
      return wordsMatch(sql`${thing}.words`, filter.text);
  }
}

/** True for a case-folded name and an id that come after the end of the previous page. */
export function isBehindName({ after }: LookUpQuery<unknown>, key = sql`key`, id = sql`id`): Sql {
  return after === undefined ? sql`true` : sql`(${key}, ${id}) > (${after.name}::text, ${after.id}::text)`;
}

/**
 * Selects the table row for a row of `page`. The offset makes Postgres look it up by id first, before it computes
 * anything that depends on it.
 */
export function rowOf(table: Sql): Sql {
  return sql`select * from ${table} t where t.id = page.id offset 0`;
}

export function countOf(table: Sql): Sql {
  return sql`(select count(*)::integer from ${table})`;
}
