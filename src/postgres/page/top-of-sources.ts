import sql, { join, raw, type Sql } from "sql-template-tag";
import { bigint, type Key, type Order, orderBy, ranks, roundedLimit } from "./page.ts";

/** Rows that an index has in the order of a list. The sources of a list don't overlap. */
export type Source = Key & {
  /** The table of the rows. */
  readonly from: Sql;
  /** The condition on the first columns of the index. */
  readonly holds: Sql;
  /** A key that all of them share at the beginning of the index, if Postgres can't see that they do. */
  readonly sameFirst?: Sql;
  /** Other conditions on a row. */
  readonly conditions: readonly Sql[];
  /** The rows `r` that `holds` refers to, each with rows of its own; undefined if it refers to none. */
  readonly each?: Sql;
  /** Whether these are a few kinds of rows, and not places, of which some have far more rows than others. */
  readonly areKinds?: boolean;
  /** Which of them, if there may be thousands. */
  readonly places?: Sql;
  /** Whether all rows of one of them have the same key, its last column `key`, so they are sorted by id. */
  readonly isOneKey?: boolean;
  /** The source is read only if this is true. */
  readonly when?: Sql;
};

/**
 * Tables. The last one, `walked`, has the key and the id of every row that could be on the page, and few others. Each
 * source is read in the order of its index. An OR of all sources would read all of their rows before it could sort.
 *
 * If there are many places, each first provides a few rows, several times its equal share. Only a place whose last row
 * ranks before the current end of the page can have more rows of the page. It then provides as many as needed. Of two
 * thousand places, few have to. If each place has a single key, places are read in the order of their keys until
 * the page is full, and only places that share a key provide a few rows each.
 *
 * @param rows how many rows have to be ranked
 * @param places about how many places there are; the result is the same for any number
 */
export function topOfSources(sources: readonly Source[], order: Order, rows: bigint, places: number): Sql[] {
  const { ascending } = order;
  const some = (4n * rows) / BigInt(Math.max(places, 1)) + 2n;
  const page = bigint(rows);
  const isOfMany = ({ places, isOneKey }: Source) => places !== undefined && (isOneKey || some < rows);
  const whole = sources
    .filter((source) => !isOfMany(source))
    .map((source) => {
      const limit = source.each === undefined || source.areKinds ? roundedLimit(rows) : page;
      return sql`
      select t.key, t.id ${forEach(source, top(source, behindPage(source, order), limit, ascending))}`;
    });
  const many = sources.filter(isOfMany);
  if (many.length === 0) return [sql`walked as (${join(whole, " union all ")})`];

  const first = many.map((source) =>
    source.isOneKey ? firstInOrder(source, order, rows) : firstOfEach(source, order, bigint(some)),
  );
  const last = { key: sql`r.key`, id: sql`r.id` };
  // The offset keeps Postgres from reading more rows of every place before it knows which places need more.
  const couldHaveMore = sql`(
        select * from first r
        where r.nth = r.few and not exists (
          select from page_end e where not ${ranks(last, "before", { key: sql`e.key`, id: sql`e.id` }, ascending)})
        offset 0) r`;
  const more = many.map((source) => {
    const rows = top(source, [ranks(inPlace(source), "behind", last, ascending)], page, ascending);
    return sql`
      select t.key, t.id ${forEach({ ...source, each: couldHaveMore }, rows)}`;
  });
  return [
    sql`first as materialized (${join(first, " union all ")})`,
    sql`page_end as materialized (
      select key, id from first order by ${orderBy(ofTop, ascending)} limit 1 offset ${page} - 1)`,
    sql`walked as (
      select key, id from first union all ${join([...more, ...whole], " union all ")})`,
  ];
}

const ofTop: Key = { key: sql`key`, id: sql`id` };

/** Selects the places with the first rows of each. */
function firstOfEach(source: Source, order: Order, few: Sql): Sql {
  return sql`
      select r.*, t.key, ${few} as few, t.id, t.nth ${forEach(source, numbered(source, order, few))}`;
}

/**
 * The same for places in the order of their keys. Reads only as many places as the page needs. Places that share a key
 * are counted before each provides its share.
 */
function firstInOrder(source: Source, order: Order, rows: bigint): Sql {
  const page = bigint(rows);
  const { each = sql``, places = sql`true` } = source;
  const direction = raw(order.ascending ? "asc" : "desc");
  const behind =
    order.after === undefined ? sql`true` : sql`r.key ${raw(order.ascending ? ">=" : "<=")} ${order.after.key}`;
  const ordered = sql`(
        select r.*, case when count(*) over same < 4 then ${page} else ${page} / count(*) over same * 4 + 2 end as few
        from ${each}
        where ${places} and ${behind}
        window same as (partition by r.key order by r.key ${direction})
        order by r.key ${direction}) r`;
  return sql`(
      select r.*, t.id, t.nth from ${ordered} cross join lateral (${numbered(source, order, sql`r.few`)}) t
      order by r.key ${direction}, t.id ${direction}
      limit ${roundedLimit(rows)})`;
}

function numbered(source: Source, order: Order, few: Sql): Sql {
  const ofRow = source.isOneKey ? { key: ofTop.id, id: ofTop.id } : ofTop;
  const rows = top(source, behindPage(source, order), few, order.ascending);
  return sql`select *, row_number() over (order by ${orderBy(ofRow, order.ascending)}) as nth from (${rows}) rows`;
}

function top(source: Source, behind: readonly Sql[], limit: Sql, ascending: boolean): Sql {
  const { key, id, from, holds, sameFirst, conditions } = source;
  const order = orderBy(inPlace(source), ascending);
  return sql`
        select ${key} as key, ${id} as id from ${from}
        where ${join([holds, ...behind, ...conditions], " and ")}
        order by ${sameFirst === undefined ? order : sql`${sameFirst} ${raw(ascending ? "asc" : "desc")}, ${order}`}
        limit ${limit}`;
}

/** What the rows of one place are sorted by: for a single key, only the ids, so an index can find them. */
function inPlace({ key, id, isOneKey }: Source): Key {
  return isOneKey ? { key: id, id } : { key, id };
}

function behindPage(source: Source, { ascending, after }: Order): Sql[] {
  if (after === undefined) return [];
  if (!source.isOneKey) return [ranks(source, "behind", after, ascending)];
  const operator = raw(ascending ? ">" : "<");
  // No id has this many of the highest character.
  const beforeAll = ascending ? sql`''` : sql`repeat(chr(1114111), 201)`;
  return [sql`${source.id} ${operator} case when ${source.key} = ${after.key} then ${after.id} else ${beforeAll} end`];
}

/** How many rows the sources have, up to a number. Rows are read in the order of the index, as for a page, and no more. */
export function countSomeOfSources(sources: readonly Source[], most: number): Sql {
  const limit = raw(String(most));
  const rows = sources.map((source) => sql`(select ${forEach(source, top(source, [], limit, false))})`);
  return sql`(select count(*) from (${join(rows, " union all ")} limit ${limit}) counted)`;
}

/** The rest of a statement that selects from `t`, once or for each row that the source refers to. */
function forEach({ each, places, when }: Source, selected: Sql): Sql {
  const rows = each === undefined ? sql`lateral` : sql`${each} cross join lateral`;
  const conditions = [sql`true`, when, places].filter((condition) => condition !== undefined);
  return sql`from ${rows} (${selected}) t where ${join(conditions, " and ")}`;
}
