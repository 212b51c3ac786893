import sql, { join, raw, type Sql } from "sql-template-tag";
import type { OverviewQuery } from "../../authorization/overview.ts";
import type { Narrowing } from "../list/normal-form.ts";
import { ownOutside } from "../list/sources.ts";
import type { Reach } from "../seen/reach.ts";
import type { CountTables } from "./overview-answer.ts";
import { countDays } from "./overview-days.ts";

/** Counts from the numbers of organizations and places, and counts own authorizations outside them one by one. */
export function countPlaces(reach: Reach, narrowing: Narrowing, { top, days }: OverviewQuery): CountTables {
  return [
    sql`reach as materialized (${reach.places ?? nowhere})`,
    sql`own as materialized (
      select a.id, a.organization_id, a.project_id, a.state,
        to_char(a.creation_date at time zone 'UTC', 'YYYY-MM-DD') collate "C" as day
      from ${ownOutside(reach, narrowing)} a)`,
    sql`places as materialized (
      ${inReach(reach, "state", sql`n.organization_id, n.project_id, n.number as count`, sql`n.project_id <> ''`)})`,
    sql`counted as not materialized (
      select organization_id, project_id, count from places
      union all
      select organization_id, project_id, 1 from own)`,
    sql`organization_counts as materialized (
      select organization_id, sum(count) as count from counted group by organization_id having sum(count) > 0)`,
    sql`project_counts as materialized (
      select project_id, sum(count) as count from counted group by project_id having sum(count) > 0)`,
    sql`state_counts as materialized (
      select state, sum(count) as count
      from (
        ${inReach(reach, "state", sql`n.key::authorization_state as state, n.number as count`)}
        union all
        select state, 1 from own) counted
      group by state)`,
    ...countRoles(reach, sql`${top}::integer`),
    ...countDays(
      days,
      sql`(
            select r.organization_id, r.project_id
            from reach r left join organization_counts c on c.organization_id = r.organization_id
            order by c.count desc nulls last
            limit ${fewPlaces})`,
      (since) => inReach(reach, "day", sql`n.key as day, n.number as count`, undefined, since),
    ),
  ];
}

/** How many places are used to find the earliest day to list. The largest ones work best. */
const fewPlaces = raw("30");

const nowhere = sql`select ''::text collate "C" as organization_id, ''::text collate "C" as project_id where false`;

/** No role has more authorizations than its project, so only projects with enough authorizations are looked at. */
function countRoles(reach: Reach, most: Sql): Sql[] {
  return [
    sql`own_roles as materialized (
      select h.project_id, h.role_key from own o join authorization_roles h on h.authorization_id = o.id)`,
    sql`held as materialized (
      ${inReach(reach, "role", sql`n.number as count`)}
      union all
      select 1 from own_roles)`,
    sql`role_bound as materialized (
      select coalesce((
        select count
        from (${countsOfRoles(sql`select project_id from project_counts order by count desc limit 2 * ${most}`)}) first
        order by count desc
        limit 1 offset ${most} - 1), 0) as count)`,
    sql`role_counts as (
      ${countsOfRoles(sql`select project_id from project_counts where count >= (select count from role_bound)`)})`,
  ];
}

function countsOfRoles(projects: Sql): Sql {
  return sql`
      select project_id, role_key, sum(count) as count
      from (
        select n.project_id, n.key as role_key, n.number as count
        from (select distinct organization_id, project_id from places where project_id in (${projects})) p
        join numbers n on n.kind = 'role' and n.organization_id = p.organization_id and n.project_id = p.project_id
        union all
        select project_id, role_key, 1 from own_roles where project_id in (${projects})) held
      group by project_id, role_key
      having sum(count) > 0`;
}

/**
 * Selects the numbers of everything in reach. Organizations are found by an array of ids, which takes half as long as
 * joining them one by one.
 *
 * @param of which of an organization's numbers, by default those of the whole organization
 */
function inReach(
  { kinds }: Reach,
  kind: "state" | "day" | "role",
  columns: Sql,
  of = sql`n.project_id = ''`,
  and = sql`true`,
): Sql {
  const isKind = raw(`n.kind = '${kind}'`);
  const parts = {
    organization: sql`
      select ${columns} from numbers n
      where ${isKind} and n.organization_id = any(array(select organization_id from reach where project_id = ''))
        and ${of} and ${and}`,
    place: sql`
      select ${columns}
      from reach r
      join numbers n on ${isKind} and n.organization_id = r.organization_id and n.project_id = r.project_id
      where r.project_id <> '' and ${and}`,
  };
  return join(
    kinds.map((kind) => parts[kind]),
    " union all ",
  );
}
