import sql, { type Sql } from "sql-template-tag";

/**
 * Selects the latest days with new authorizations, and possibly some more, as `day_counts`. Expects the authorizations
 * that are counted one by one as `own`.
 *
 * @param few some of the places in reach
 * @param since selects the day and the count of all numbers `n` in reach that meet a condition
 */
export function countDays(days: number, few: Sql, since: (condition: Sql) => Sql): Sql[] {
  const most = sql`${days}::integer`;
  return [
    // The days to list are at least as late as the same number of different days in any few places.
    sql`day_bound as materialized (
      select coalesce((
        select day
        from (
          select n.day
          from ${few} r cross join lateral (
            select d.key as day
            from numbers d
            where d.kind = 'day' and d.organization_id = r.organization_id and d.project_id = r.project_id
            group by d.key
            having sum(d.number) > 0
            order by d.key desc
            limit ${most}) n
          union
          select day from own) newest
        order by day desc
        limit 1 offset ${most} - 1), '') as day)`,
    sql`day_counts as (
      select day, sum(count) as count
      from (
        ${since(sql`n.key >= (select day from day_bound)`)}
        union all
        select day, 1 from own where day >= (select day from day_bound)) created
      group by day
      having sum(count) > 0)`,
  ];
}
