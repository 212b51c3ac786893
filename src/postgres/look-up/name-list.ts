import sql, { join, type Sql } from "sql-template-tag";
import type { LookUpPage, LookUpQuery } from "../../directory/look-ups.ts";
import type { Database } from "../database.ts";
import { clampOffset } from "../page/order.ts";

/** What a look-up is put together from. */
export type NameList = {
  /** Tables of which the last, `candidates`, has the columns of the order for every row that could be on the page. */
  readonly tables: readonly Sql[];
  /** How many match; not asked when the total is left out. */
  readonly total: Sql;
  /** `key`, which is the name without its case, and what breaks ties. */
  readonly order: Sql;
  /** Selects what is shown of the rows of `page`, with their position, key and id. */
  readonly listed: Sql;
};

/** The order of all look-ups but that of what is assignable. */
export const byName = sql`key, id`;

/** Reads the total and the page in one statement, so that both are of one moment. */
export async function readNameList<Row extends { id: string; key: string }, Thing>(
  database: Database,
  list: NameList,
  query: LookUpQuery<unknown>,
  toThing: (row: Row) => Thing,
  signal: AbortSignal,
): Promise<LookUpPage<Thing>> {
  type Read = { total: number; more: boolean } & ((Row & { place_id?: string }) | { id: null });
  const rows = await database.query<Read>(nameListStatement(list, query), signal);
  const found = rows.flatMap((row) => (row.id === null ? [] : [row]));
  const last = rows[0]?.more ? found.at(-1) : undefined;
  return {
    total: rows[0]?.total ?? 0,
    next: last && { name: last.key, id: last.id, organizationId: last.place_id ?? "" },
    things: found.map(toThing),
  };
}

export function nameListStatement({ tables, total, order, listed }: NameList, query: LookUpQuery<unknown>): Sql {
  // One row more than the page tells whether there is a next one. The total stands beside the page, because past the
  // last page there is no row to carry it.
  const limit = sql`${query.limit}::bigint`;
  return sql`
    with ${join(tables, ", ")}, ranked as materialized (
      select * from candidates
      order by ${order}
      limit ${limit} + 1 offset ${clampOffset(query.offset)}::bigint
    ), page as materialized (
      select *, row_number() over (order by ${order}) as position from ranked order by ${order} limit ${limit}
    )
    select t.*, l.*
    from (select ${query.skipTotal ? sql`0` : total} as total, (select count(*) from ranked) > ${limit} as more) t
    left join (${listed}) l on true
    order by l.position`;
}

/** True for a name without its case and an id that come behind where the page before ended. */
export function isBehindName({ after }: LookUpQuery<unknown>, key: Sql, id: Sql): Sql {
  return after === undefined ? sql`true` : sql`(${key}, ${id}) > (${after.name}::text, ${after.id}::text)`;
}

/** How many rows have to be ranked for a page, one more than it has. */
export function rowsFor({ offset, limit }: LookUpQuery<unknown>): Sql {
  return sql`${clampOffset(offset + BigInt(limit) + 1n)}::bigint`;
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
