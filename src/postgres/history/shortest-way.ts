import sql, { join, raw, type Sql } from "sql-template-tag";
import { forEach, type Source } from "../page/top-of-sources.ts";
import { inTime, type Narrowing } from "./narrowing.ts";

/** One way to all events of a list. Its sources don't overlap. */
export type Way = readonly Source[];

/**
 * The sources of the shortest way. Postgres counts entries of indexes on each of them, at first only a few, and more as
 * long as no way ends. So it counts at most a few times as many as there are on the shortest way.
 *
 * @param ways several; of two that are as long as each other, as far as they are counted, the first one is taken
 * @param isCounted whether the list has a total; if the shortest way has few events, they are then read once
 * @param ofFirst how many events are on the first way, if that is known; the others are counted up to there
 */
export function alongShortest(
  ways: readonly Way[],
  narrowing: Narrowing<never, string>,
  isCounted: boolean,
  ofFirst?: Sql,
) {
  const along = (way: Way, number: number, conditions: readonly Sql[]) => {
    const when = join([sql`(select way from choice) = ${raw(String(number))}`, ...conditions], " and ");
    return way.map((source) => ({ ...source, when }));
  };
  const all = (...conditions: Sql[]) => ways.flatMap((way, number) => along(way, number, conditions));
  const known = ofFirst && [isCounted ? sql`${ofFirst}::bigint` : sql`least(${ofFirst}, ${mostFew})::bigint`];
  const levels = known ?? (isCounted ? toTotal : toPage);
  const numbers = ways.map((way, index) => (index === 0 && known ? raw("most") : countSome(way, narrowing)));
  const chosen = choice(numbers, levels);
  if (!isCounted) return { tables: [chosen], sources: all() };
  const isFew = sql`(select is_few from choice)`;
  return {
    tables: [chosen, fewTable(all(isFew))],
    sources: [few, ...all(sql`not ${isFew}`)],
  };
}

/**
 * A few events, such as those of one assignment or one user. They are read once for the total and the page, because each
 * month costs about as much as several events.
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

/** How far the ways are counted, again and again. Fewer events than the second one says are read once. */
const mostFew = raw("10001");
const toPage = [raw("501"), mostFew];
const toTotal = [...toPage, raw("40001"), raw("160001"), raw("640001")];

/** @param numbers of events on each way, counted up to the level `most` */
function choice(numbers: readonly Sql[], levels: readonly Sql[]): Sql {
  const values = numbers.map((number, way) => sql`(${raw(String(way))}, ${number})`);
  return sql`choice as materialized (
      select way, number < ${mostFew} as is_few
      from unnest(array[${join([...levels])}]) levels (most)
      cross join lateral (
        select way, number from (values ${join(values)}) ways (way, number) order by number, way limit 1) shortest
      where number < most or most = ${levels.at(-1)}
      limit 1)`;
}

/** At most as many as the level says. */
function countSome(way: Way, narrowing: Narrowing<never, string>): Sql {
  const entries = way.map((source) => {
    const conditions = join([source.holds, ...inTime(narrowing)], " and ");
    return sql`(select ${forEach(source, sql`select from ${source.from} where ${conditions} limit most`)})`;
  });
  return sql`(select count(*) from (${join(entries, " union all ")} limit most) counted)`;
}
