import sql, { type Sql } from "sql-template-tag";
import type { LookUpPage, LookUpQuery, OrganizationFilter } from "../../directory/look-ups.ts";
import { textMatches, wordsMatch } from "../page/comparisons.ts";
import { type Listing, pageStatement, readPage } from "../page/page.ts";
import type { Database } from "../pool/database.ts";

/** A list sorted by name, ignoring case. */
export type NameList = Omit<Listing, "listed"> & {
  /** Selects the fields to show for the rows of `page`, with their position, key and id. */
  readonly listed: Sql;
};

/** The order of all look-ups except assignable projects. */
export const byName = sql`key, id`;

/** @param listOf the parts of the statement for someone who asks */
export function lookUp<Asker, Filter, Row extends { id: string; key: string }, Thing>(
  listOf: (asker: Asker, query: LookUpQuery<Filter>) => NameList,
  toItem: (row: Row) => Thing,
) {
  const toPosition = ({ key, id, place_id = "" }: Row & { place_id?: string }) => {
    return { name: key, id, organizationId: place_id };
  };
  return (database: Database) =>
    (asker: Asker, query: LookUpQuery<Filter>, signal: AbortSignal): Promise<LookUpPage<Thing>> => {
      const statement = nameListStatement(listOf(asker, query), query);
      return readPage(database, statement, { toItem, toPosition }, signal);
    };
}

export function nameListStatement({ listed, ...list }: NameList, query: LookUpQuery<unknown>): Sql {
  const numbered = (page: Sql) => sql`
      with page as materialized (
        select *, row_number() over (order by ${list.order}) as position from (${page}) page)${listed}`;
  return pageStatement({ ...list, listed: numbered }, query);
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
