import sql, { join, raw, type Sql } from "sql-template-tag";
import type { OverviewQuery } from "../../authorization/overview.ts";
import { primaryNow } from "../pool/primary-time.ts";

/**
 * Tables with one row for each thing: `organization_counts` (organization_id, count), `project_counts` (project_id,
 * count), `role_counts` (project_id, role_key, count), `day_counts` (day, count), `state_counts` (state, count), and
 * `ends` (expiration_date), the next ends of active ones, up to one more than are counted. Those of days may leave out rows
 * that will not be listed anyway.
 */
export type CountTables = readonly Sql[];

/** A day is listed if at most this many authorizations were created on it and on later days. */
export const mostInDays = 100_000;

/** True for a row whose end is still to come, within some days of 24 hours. */
export function endsWithin(as: Sql, days: number): Sql {
  const until = sql`${primaryNow} + interval '${raw(String(days * 24))} hours'`;
  return sql`(${as}.expiration_date > ${primaryNow} and ${as}.expiration_date < ${until})`;
}

/** Lists the largest ones and the latest days, and counts the rest as the total minus those. */
export function overviewOf(tables: CountTables, { top, days }: OverviewQuery): Sql {
  const most = sql`${top}::integer`;
  const rest = (whole: Sql, named: Sql) => sql`${whole} - coalesce((select sum(count) from ${named}), 0)`;
  const rows = (row: Sql, order: Sql, from: Sql) =>
    sql`coalesce((select json_agg(${row} order by ${order}) from ${from}), '[]')`;
  const project = sql`json_build_object('id', p.id, 'name', p.name, 'organizationId', p.organization_id)`;
  const role = sql`json_build_object('key', r.key, 'displayName', r.display_name, 'group', r.group_name)`;
  return sql`
    with ${join(tables, ", ")}, named_organizations as materialized (
      select organization_id, count from organization_counts order by count desc, organization_id limit ${most}
    ), named_projects as materialized (
      select project_id, count from project_counts order by count desc, project_id limit ${most}
    ), named_roles as materialized (
      select project_id, role_key, count from role_counts order by count desc, project_id, role_key
      limit ${most}
    ), named_days as materialized (
      select day, count
      from (select day, count, sum(count) over (order by day desc) as until from day_counts) d
      where until <= ${mostInDays}::bigint
      order by day desc
      limit ${days}::integer
    )
    select json_build_object(
      'total', t.total,
      'organizations', ${rows(
        sql`json_build_object('organization', json_build_object('id', o.id, 'name', o.name), 'count', n.count)`,
        sql`n.count desc, n.organization_id`,
        sql`named_organizations n join organizations o on o.id = n.organization_id`,
      )},
      'inOtherOrganizations', ${rest(sql`t.total`, sql`named_organizations`)},
      'projects', ${rows(
        sql`json_build_object('project', ${project}, 'count', n.count)`,
        sql`n.count desc, n.project_id`,
        sql`named_projects n join projects p on p.id = n.project_id`,
      )},
      'forOtherProjects', ${rest(sql`t.total`, sql`named_projects`)},
      'roles', ${rows(
        sql`json_build_object('project', ${project}, 'role', ${role}, 'count', n.count)`,
        sql`n.count desc, n.project_id, n.role_key`,
        sql`named_roles n
          join project_roles r on r.project_id = n.project_id and r.key = n.role_key
          join projects p on p.id = n.project_id`,
      )},
      'ofOtherRoles', ${rest(sql`t.held`, sql`named_roles`)},
      'states', (
        select json_agg(json_build_object('state', s.state, 'count', coalesce(c.count, 0)) order by s.state)
        from unnest(enum_range(null::authorization_state)) s (state) left join state_counts c on c.state = s.state),
      'days', ${rows(sql`json_build_object('day', n.day, 'count', n.count)`, sql`n.day desc`, sql`named_days n`)},
      'endingIn7Days', (select count(*) from ends where ${endsWithin(sql`ends`, 7)}),
      'endingIn30Days', (select count(*) from ends),
      'onEarlierDays', ${rest(sql`t.total`, sql`named_days`)},
      'newestDayExceedsLimit', coalesce((
        select count > ${mostInDays}::bigint from day_counts order by day desc limit 1), false)) as overview
    from (
      select coalesce((select sum(count) from state_counts), 0) as total,
        coalesce((select sum(count) from role_counts), 0) as held) t`;
}
