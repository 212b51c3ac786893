import sql, { type Sql } from "sql-template-tag";

/**
 * The newest days on which any was created, and perhaps some more, as `day_counts`. Expects what is counted besides as
 * `own`.
 *
 * @param few some of the places in reach
 * @param since selects the day and the count of all numbers `n` in reach of which a condition is true
 */
export function countDays(days: number, few: Sql, since: (condition: Sql) => Sql): Sql[] {
  const most = sql`${days}::integer`;
  return [
    // As many different days as are to be named, wherever they are from, cannot all be newer than those.
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
