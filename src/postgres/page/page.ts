import sql, { join, raw, type Sql } from "sql-template-tag";
import type { Page, Paging } from "../../authorization/list.ts";
import { leftOut } from "../pool/bounded-result.ts";
import type { Database } from "../pool/database.ts";
import type { Statement } from "../pool/prepared.ts";

/** The parts of a list's statement. */
export type Listing = {
  /** Tables. The last one, `candidates`, has the sort columns of every row that could be on the page. */
  readonly tables: readonly Sql[];
  readonly order: Sql;
  /** How many rows match. Not evaluated if the total is skipped. */
  readonly total: Sql;
  /**
   * Selects the fields to show, with their `position`, for the rows of the page, which a statement selects in order.
   */
  listed(page: Sql): Sql;
};

type Part = Omit<Paging<unknown>, "after">;

/** Selects the total and the page in one statement, so both come from the same snapshot. */
export function pageStatement(listing: Listing, { offset, limit, skipTotal }: Part): Sql {
  const { tables, order, total, listed } = listing;
  // One row more than the page shows whether there is a next page. The total is separate from the rows, because past
  // the last page there are none.
  const most = sql`${limit}::bigint`;
  return sql`
    with ${join(tables, ", ")}, ranked as materialized (
      select * from candidates
      order by ${order}
      limit ${most} + 1 offset ${bigint(offset)}
    )
    select t.*, l.*
    from (select ${skipTotal ? sql`0` : total} as total, (select count(*)::integer from ranked) as ranked) t
    left join (${listed(sql`select * from ranked order by ${order} limit ${most}`)}) l on true
    order by l.position`;
}

/** A page ends before the row with which its JSON would be larger, but not before its first row. */
const mostJson = { bytes: 4 * 1_024 * 1_024, besidesFirst: true };

/** What a row shows, and where a page ends whose last row it is. */
type Shown<Row, Item, Position> = { toItem(row: Row): Item; toPosition(last: Row): Position };

/** Runs such a statement. */
export async function readPage<Row extends object, Item, Position>(
  database: Database,
  { text, values, name }: Statement,
  { toItem, toPosition }: Shown<Row, Item, Position>,
  signal: AbortSignal,
): Promise<Page<Item, Position>> {
  type Read = { total: number; ranked: number } & ((Row & { position: unknown }) | { position: null });
  const read = await database.query<Read>({ text, values, ...(name !== undefined && { name }), mostJson }, signal);
  const found: Row[] = read.flatMap((row) => (row.position === null ? [] : [row as Row]));
  const end = found.findIndex((row) => Object.values(row).includes(leftOut));
  const rows = end < 0 ? found : found.slice(0, end);
  const [first] = read;
  const { total = 0, ranked = 0 } = first ?? {};
  const last = rows.length < ranked ? rows.at(-1) : undefined;
  return { total, next: last && toPosition(last), items: rows.map(toItem) };
}

/**
 * The parts of a list that is picked from all matches. If everything matches, rows are read in the order of an index;
 * otherwise all matches are read.
 *
 * @param matching selects the sort columns, and other columns that the page needs
 */
export function amongMatching(matching: Sql, isEverything: boolean, isBehind: Sql): Pick<Listing, "tables" | "total"> {
  return {
    tables: [
      sql`matching as ${isEverything ? sql`not materialized` : sql`materialized`} (${matching})`,
      sql`candidates as (select * from matching where ${isBehind})`,
    ],
    total: countOf(sql`matching`),
  };
}

export function countOf(table: Sql): Sql {
  return sql`(select count(*)::integer from ${table})`;
}

/** The value that rows are sorted by, and the value that breaks ties in the same direction. */
export type Key = { readonly key: Sql; readonly id: Sql };

/** An order, and where the previous page ended in it. */
export type Order = { readonly ascending: boolean; readonly after?: Key | undefined };

export function orderBy({ key, id }: Key, ascending: boolean): Sql {
  const direction = raw(ascending ? "asc" : "desc");
  return key.text === id.text ? sql`${id} ${direction}` : sql`${key} ${direction}, ${id} ${direction}`;
}

/** True for a key that ranks after another in that order, or before it. */
export function ranks(one: Key, how: "behind" | "before", other: Key, ascending: boolean): Sql {
  const operator = raw((how === "behind") === ascending ? ">" : "<");
  // If the sort column is the id, there are no ties to break.
  return one.key.text === one.id.text
    ? sql`${one.id} ${operator} ${other.id}`
    : sql`(${one.key}, ${one.id}) ${operator} (${other.key}, ${other.id})`;
}

/** True for a key behind the end of the previous page. */
export function isBehindPage(one: Key, { ascending, after }: Order): Sql {
  return after === undefined ? sql`true` : ranks(one, "behind", after, ascending);
}

/** How many rows have to be ranked for a page: those before it, those on it, and one more. */
export function rowsFor({ offset, limit }: Part): bigint {
  return offset + BigInt(limit) + 1n;
}

/**
 * Rounds a limit up to one of a few sizes, so it can be written into a statement that is planned once. For a parameter,
 * Postgres would expect a tenth of the table, and plan each page again. Only for lists of everything: a place can be
 * far larger than most, and a plan for a limit beyond the usual size would read and sort all of it.
 */
export function roundedLimit(rows: bigint): Sql {
  const limit = roundLimits.find((limit) => limit >= rows);
  return limit === undefined ? bigint(rows) : raw(String(limit));
}

/** One more than the usual page sizes. */
const roundLimits = [2n, 11n, 21n, 51n, 101n, 201n, 501n, 1_001n];

/** Postgres counts rows in 63 bits. No table holds more, so any larger number is past the end anyway. */
export function bigint(rows: bigint): Sql {
  const largest = 2n ** 62n;
  return sql`${(rows < largest ? rows : largest).toString()}::bigint`;
}
