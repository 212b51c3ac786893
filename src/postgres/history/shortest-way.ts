import sql, { join, raw, type Sql } from "sql-template-tag";
import { forEach, type Source } from "../page/top-of-sources.ts";
import { inTime, type Narrowing } from "./narrowing.ts";

/** One way to all events of a list. Its sources don't overlap. */
export type Way = readonly Source[];

/** Whether only a page is read; or the total, too, from the same table if that is short; or from other tables. */
export type HowRead = "page" | "pageAndTotal" | "pageBesideTotal";

/**
 * The sources of the shortest way. Postgres counts entries of indexes on all ways up to 10,001, and further for a total if
 * none ends before. It counts no other way if the first one, which is usually the shortest, has no more than 500.
 *
 * @param ways several; of two that are as long as each other, as far as they are counted, the first one is taken
 * @param ofPlaces about how many events are on the first way, if numbers are kept; the others are counted up to there
 */
export function alongShortest(
  ways: readonly [first: Way, ...others: Way[]],
  narrowing: Narrowing<never, string>,
  how: HowRead,
  ofPlaces?: Sql,
) {
  const chosen = choice(ways, narrowing, how !== "page", ofPlaces);
  const along = (...conditions: Sql[]) =>
    ways.flatMap((way, number) => {
      const when = join([sql`(select way from choice) = ${raw(String(number))}`, ...conditions], " and ");
      return way.map((source) => ({ ...source, when }));
    });
  if (how !== "pageAndTotal") return { tables: [chosen], sources: along() };
  const isFew = sql`(select is_few from choice)`;
  return { tables: [chosen, fewTable(along(isFew))], sources: [few, ...along(sql`not ${isFew}`)] };
}

/**
 * Events that are few, such as those of one assignment or one user. They are read once for the total and the page, because
 * each month costs about as much as several events.
 */
export const few: Source = {
  from: sql`few e`,
  key: sql`e.time`,
  id: sql`e.sequence`,
  holds: sql`true`,
  conditions: [],
};

/** The table that it expects, with the events of some sources. */
export function fewTable(sources: readonly Source[]): Sql {
  const events = sources.map((source) => {
    const { from, key, id, holds, conditions } = source;
    // The offset makes Postgres find the events of each kind or place by its index, as for a page.
    const found = sql`
        select ${key} as time, ${id} as sequence from ${from}
        where ${join([holds, ...conditions], " and ")} offset 0`;
    return sql`
      select t.time, t.sequence ${forEach(source, found)}`;
  });
  return sql`few as materialized (${join(events, " union all ")})`;
}

const short = raw("501");
/** What has fewer events is read once. */
const mostFew = raw("10001");
const mostForTotals = [mostFew, raw("40001"), raw("160001"), raw("640001")];

function choice(
  [first, ...others]: readonly [first: Way, ...others: Way[]],
  narrowing: Narrowing<never, string>,
  hasTotal: boolean,
  ofPlaces: Sql | undefined,
): Sql {
  const most = raw("most");
  const numbers = [
    ofPlaces === undefined ? countSome(first, narrowing, most) : most,
    ...others.map((way) => countSome(way, narrowing, most)),
  ].map((number, way) => sql`(${raw(String(way))}, ${number})`);
  const shortest = sql`
        select way, number from (values ${join(numbers)}) ways (way, number) order by number, way limit 1`;
  const select = sql`select way, number < ${mostFew} as is_few`;
  if (ofPlaces !== undefined) {
    const known = hasTotal ? ofPlaces : sql`least(${ofPlaces}, ${mostFew})`;
    // The offset has it summed up once.
    return sql`choice as materialized (
      ${select} from (select ${known}::bigint as most offset 0) known cross join lateral (${shortest}) shortest)`;
  }
  const levels = hasTotal ? mostForTotals : [mostFew];
  // The rows are made in this order, and no more of them than one.
  return sql`choice as materialized (
      ${select} from (
        select 0 as way, number from (select ${countSome(first, narrowing, short)} as number) first where number < ${short}
        union all
        select way, number
        from unnest(array[${join(levels)}]) levels (most) cross join lateral (${shortest}) shortest
        where number < most or most = ${levels.at(-1)}) found
      limit 1)`;
}

function countSome(way: Way, narrowing: Narrowing<never, string>, most: Sql): Sql {
  const entries = way.map((source) => {
    const conditions = join([source.holds, ...inTime(narrowing)], " and ");
    return sql`(select ${forEach(source, sql`select from ${source.from} where ${conditions} limit ${most}`)})`;
  });
  return sql`(select count(*) from (${join(entries, " union all ")} limit ${most}) counted)`;
}
