import sql, { join, raw, type Sql } from "sql-template-tag";
import type { Database } from "../database/database.ts";
import type { Statement } from "../database/prepared.ts";

/** What a list is put together from. */
export type Listing = {
  /** Tables of which the last, `candidates`, has the columns of the order for every row that could be on the page. */
  readonly tables: readonly Sql[];
  readonly order: Sql;
  /** How many rows match; not asked when the total is left out. */
  readonly total: Sql;
  /** Selects what is shown, with its `position`, of the rows of the page, which a statement selects in order. */
  listed(page: Sql): Sql;
};

export type Part = { readonly offset: bigint; readonly limit: number; readonly skipTotal?: boolean };

/** Selects the total and the page in one statement, so that both are of one moment. */
export function pageStatement({ tables, order, total, listed }: Listing, { offset, limit, skipTotal }: Part): Sql {
  // One row more than the page tells whether there is a next one. The total is beside the page, because past the last
  // page there is no row to carry it.
  const most = sql`${limit}::bigint`;
  const page = sql`select * from ranked order by ${order} limit ${most}`;
  return sql`
    with ${join([...tables], ", ")}, ranked as materialized (
      select * from candidates
      order by ${order}
      limit ${most} + 1 offset ${bigint(offset)}
    )
    select t.*, l.*
    from (select ${skipTotal ? sql`0` : total} as total, (select count(*) from ranked) > ${most} as more) t
    left join (${listed(page)}) l on true
    order by l.position`;
}

/** Reads such a statement. */
export async function readPage<Row>(database: Database, statement: Statement | Sql, signal: AbortSignal) {
  type Read = { total: number; more: boolean } & ((Row & { position: unknown }) | { position: null });
  const read = await database.query<Read>(statement, signal);
  const rows: Row[] = read.flatMap((row) => (row.position === null ? [] : [row as Row]));
  return { total: read[0]?.total ?? 0, more: read[0]?.more ?? false, rows };
}

/** What rows are sorted by, and what breaks ties in the same direction. */
export type Key = { readonly key: Sql; readonly id: Sql };

/** An order, and where the page before ended in it. */
export type Order = { readonly ascending: boolean; readonly after?: Key | undefined };

export function orderBy({ key, id }: Key, ascending: boolean): Sql {
  const direction = raw(ascending ? "asc" : "desc");
  return key.text === id.text ? sql`${id} ${direction}` : sql`${key} ${direction}, ${id} ${direction}`;
}

/** True for a key that ranks behind another, or before it, in that order. */
export function ranks(one: Key, how: "behind" | "before", other: Key, ascending: boolean): Sql {
  const operator = raw((how === "behind") === ascending ? ">" : "<");
  // What is sorted by the id needs no tie to be broken.
  return one.key.text === one.id.text
    ? sql`${one.id} ${operator} ${other.id}`
    : sql`(${one.key}, ${one.id}) ${operator} (${other.key}, ${other.id})`;
}

/** How many rows have to be ranked for a page: those before it, and one more than it has. */
export function rowsFor({ offset, limit }: Part): bigint {
  return offset + BigInt(limit) + 1n;
}

/**
 * So many rows or a few more, written into a statement that is planned once: for a table of which everything is in reach.
 * Of a parameter Postgres would expect a tenth of the table, and plan each page again. In places it should expect just
 * that, because a limit beyond their usual size has it read and sort all of one that is much larger.
 */
export function roundedLimit(rows: bigint): Sql {
  const limit = roundLimits.find((limit) => limit >= rows);
  return limit === undefined ? bigint(rows) : raw(String(limit));
}

/** One more than usual pages have. */
const roundLimits = [2n, 11n, 21n, 51n, 101n, 201n, 501n, 1_001n];

/** Postgres counts rows in 63 bits; no table holds more, so a larger number is past the end all the same. */
export function bigint(rows: bigint): Sql {
  const largest = 2n ** 62n;
  return sql`${(rows < largest ? rows : largest).toString()}::bigint`;
}
