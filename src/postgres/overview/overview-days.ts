import sql, { type Sql } from "sql-template-tag";
import type { Narrowing } from "../list/normal-form.ts";
import { sourcesOf } from "../list/sources.ts";
import { topOfSources } from "../page/top-of-sources.ts";
import type { Reach } from "../seen/reach.ts";
import { mostInDays } from "./overview-answer.ts";

/**
 * Counts the newest authorizations by day, as `day_counts`: one more than days are listed of, so the day where counting
 * stops is not listed. Expects the counts of places as `places`.
 */
export function countDays(reach: Reach, narrowing: Narrowing, days: number): Sql[] {
  const newestFirst = { ascending: false, after: undefined };
  const sources = sourcesOf(reach, narrowing, { column: "creationDate", ascending: false }).map((source) => ({
    ...source,
    conditions: [...source.conditions, sql`${source.key} >= (select day from first_day)`],
  }));
  return [
    firstDay(days),
    ...topOfSources(sources, newestFirst, BigInt(mostInDays + 1), reach.size),
    sql`newest as materialized (select key from walked order by key desc limit ${mostInDays + 1}::bigint)`,
    sql`day_counts as materialized (
      select (key at time zone 'UTC')::date as day, count(*) as count from newest group by 1)`,
  ];
}

/**
 * The days to list are at least as late as the same number of different days in any one place. The largest place works
 * best. Its days are found in an index, each behind the one before.
 */
function firstDay(days: number): Sql {
  const dayBefore = (moment: Sql) => sql`
            select date_trunc('day', a.creation_date, 'UTC') as day
            from authorizations a
            where a.organization_id = l.organization_id and a.project_id = l.project_id and a.creation_date < ${moment}
            order by a.creation_date desc
            limit 1`;
  return sql`first_day as materialized (
      with recursive largest as materialized (
        select organization_id, project_id from places order by count desc limit 1
      ), found as (
        select d.day, 1 as nth from largest l cross join lateral (${dayBefore(sql`'infinity'`)}) d
        union all
        select d.day, f.nth + 1
        from found f cross join largest l cross join lateral (${dayBefore(sql`f.day`)}) d
        where f.nth < ${days}::integer
      )
      select coalesce((select day from found where nth = ${days}::integer), '-infinity') as day)`;
}
