import sql, { type Sql } from "sql-template-tag";
import type { LookUpPage, LookUpQuery } from "../../directory/look-ups.ts";
import type { Database } from "../database/database.ts";
import { type Listing, pageStatement, readPage } from "../page/page.ts";

/** A listing by name, whatever its case. */
export type NameList = Omit<Listing, "listed"> & {
  /** Selects what is shown of the rows of `page`, with their position, key and id. */
  readonly listed: Sql;
};

/** The order of all look-ups but that of what is assignable. */
export const byName = sql`key, id`;

export async function readNameList<Row extends { id: string; key: string }, Thing>(
  database: Database,
  list: NameList,
  query: LookUpQuery<unknown>,
  toThing: (row: Row) => Thing,
  signal: AbortSignal,
): Promise<LookUpPage<Thing>> {
  type Read = Row & { place_id?: string };
  const { total, more, rows } = await readPage<Read>(database, nameListStatement(list, query), signal);
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
 * A list picked from all that match. All there is is read in the order of the index of names, anything less as a whole.
 *
 * @param matching selects the columns of the order, and what else the page has to know
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

/** True for a name without its case and an id that come behind where the page before ended. */
export function isBehindName({ after }: LookUpQuery<unknown>, key = sql`key`, id = sql`id`): Sql {
  return after === undefined ? sql`true` : sql`(${key}, ${id}) > (${after.name}::text, ${after.id}::text)`;
}

/**
 * Selects the row of a table that a row of `page` stands for. It is looked up by its id, and nothing that depends on it is
 * worked out for other rows first, whatever Postgres expects: for that is the offset.
 */
export function rowOf(table: Sql): Sql {
  return sql`select * from ${table} t where t.id = page.id offset 0`;
}

export function countOf(table: Sql): Sql {
  return sql`(select count(*)::integer from ${table})`;
}
