import sql, { raw, type Sql } from "sql-template-tag";
import type { OverviewQuery } from "../../authorization/overview.ts";
import type { CountTables } from "./overview-answer.ts";
import { countDays } from "./overview-days.ts";

/**
 * Counts everything. Of ten thousand organizations and projects and all their roles, only those that could be listed
 * are summed up. If a number is spread over n slots, at least one holds an nth of it, and rows are found by the size of
 * their number. No role has more authorizations than its project.
 */
export function countEverything({ top, days }: OverviewQuery): CountTables {
  const most = sql`${top}::integer`;
  const all = sql`organization_id = '' and project_id = ''`;
  return [
    sql`state_counts as materialized (
      select key::authorization_state as state, sum(number) as count
      from numbers
      where kind = 'state' and ${all}
      group by key)`,
    sql`held as materialized (
      select sum(number) as count from numbers where kind = 'role' and ${all})`,
    // Every slot with a number of an organization or a project also has one of the whole instance.
    sql`slots as materialized (
      select coalesce(max(slot), 0) + 1 as number from numbers where kind = 'state' and ${all})`,
    ...largest("organization", most),
    // Twice as many projects as roles to list have enough roles to set the bar for the others.
    ...largest("project", sql`2 * ${most}`),
    sql`first_roles as (
      select sum(number) as count
      from numbers
      where kind = 'role' and project_id = any(array(
        select project_id from project_counts order by count desc limit 2 * ${most}))
      group by project_id, key)`,
    sql`role_bound as materialized (
      select coalesce((select count from first_roles order by count desc limit 1 offset ${most} - 1), 1) as count)`,
    sql`role_counts as (
      select project_id, key as role_key, sum(number) as count
      from numbers
      where kind = 'role' and project_id = any(array(
        ${totalsOver("project", sql`(select count from role_bound)`)}))
      group by project_id, key
      having sum(number) > 0)`,
    sql`own as (select ''::text collate "C" as day where false)`,
    ...countDays(
      days,
      sql`(select ''::text collate "C" as organization_id, ''::text collate "C" as project_id)`,
      (since) =>
        sql`select n.key as day, n.number as count from numbers n where n.kind = 'day' and ${all} and ${since}`,
    ),
  ];
}

type Ranked = "organization" | "project";

/** Selects those with the largest numbers, and some more, as `<kind>_counts`. */
function largest(kind: Ranked, most: Sql): Sql[] {
  const [id, bound, counts] = [`${kind}_id`, `${kind}_bound`, `${kind}_counts`].map((name) => raw(name)) as [
    Sql,
    Sql,
    Sql,
  ];
  return [
    // Enough rows to cover the number to find. The others have to surpass the last of these.
    sql`${bound} as materialized (
      select coalesce((
        select sum(number) as count
        from numbers
        where ${isTotal(kind)} and ${id} = any(array(
          select ${id} from numbers
          where ${isRanked(kind)}
          order by magnitude desc
          limit ${most} * ${parts(kind)}))
        group by ${id}
        order by count desc
        limit 1 offset ${most} - 1), 1) as count
    )`,
    sql`${counts} as materialized (${totalsOver(kind, sql`(select count from ${bound})`, sql`, sum(number) as count`)})`,
  ];
}

/** Selects the ids with at least this many. */
function totalsOver(kind: Ranked, bound: Sql, more = sql``): Sql {
  const id = raw(`${kind}_id`);
  return sql`
        select ${id}${more}
        from numbers
        where ${isTotal(kind)} and ${id} = any(array(
          select ${id} from numbers
          where ${isRanked(kind)} and magnitude >= magnitude_of(
            greatest(1, ceil(${bound}::float8 / ${parts(kind)}))::bigint)))
        group by ${id}
        having sum(number) >= greatest(1, ${bound})`;
}

/** The condition of an index on magnitudes, in a form that makes Postgres choose that index. */
function isRanked(kind: Ranked): Sql {
  return kind === "organization"
    ? sql`kind = 'state' and project_id = '' and organization_id <> ''`
    : sql`kind = 'project'`;
}

/** The same rows, in a form that finds them by their ids. */
function isTotal(kind: Ranked): Sql {
  return kind === "organization"
    ? sql`kind = 'state' and project_id = '' and organization_id <> ''`
    : sql`kind = 'project' and organization_id = ''`;
}

/** How many rows a number is spread over: one for each slot and, for organizations, each state. */
function parts(kind: Ranked): Sql {
  return kind === "organization" ? sql`(2 * (select number from slots))` : sql`(select number from slots)`;
}
