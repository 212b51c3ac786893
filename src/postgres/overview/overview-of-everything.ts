import sql, { raw, type Sql } from "sql-template-tag";
import type { OverviewQuery } from "../../authorization/overview.ts";
import type { CountTables } from "./overview-answer.ts";
import { countDays } from "./overview-days.ts";

/**
 * Counts everything there is. Of ten thousand organizations and projects and all their roles only those are summed up
 * that could be named: a number over n slots has an nth of it in one of them at least, and rows are found by how large
 * their number is. And no role is held by more authorizations than its project has.
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
    // Whatever changes a number counts an event of all in the same slot.
    sql`slots as materialized (
      select coalesce(max(slot), 0) + 1 as number from numbers where kind = 'event' and ${all})`,
    ...largest("organization", most),
    // Twice as many projects as roles are to be named have enough roles to know what the others have to surpass.
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

/** Those with the largest numbers and some more, as `<kind>_counts`. */
function largest(kind: Ranked, most: Sql): Sql[] {
  const [id, bound, counts] = [`${kind}_id`, `${kind}_bound`, `${kind}_counts`].map((name) => raw(name)) as [
    Sql,
    Sql,
    Sql,
  ];
  return [
    // As many rows as surely are of as many as there are to find: what the last of these has, is to be surpassed.
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

/** Selects the ids of all that have so many or more. */
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

/** What an index of magnitudes has, said so that Postgres chooses that index. */
function isRanked(kind: Ranked): Sql {
  return kind === "organization"
    ? sql`kind = 'state' and project_id = '' and organization_id <> ''`
    : sql`kind = 'project'`;
}

/** The same rows, said so that they are found by their ids. */
function isTotal(kind: Ranked): Sql {
  return kind === "organization"
    ? sql`kind = 'state' and project_id = '' and organization_id <> ''`
    : sql`kind = 'project' and organization_id = ''`;
}

/** Of how many rows the number of one of them is the sum: one for each slot, and of organizations for each state. */
function parts(kind: Ranked): Sql {
  return kind === "organization" ? sql`(2 * (select number from slots))` : sql`(select number from slots)`;
}
