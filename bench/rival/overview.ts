import type pg from "pg";
import type { Caller } from "./caller.ts";
import { prepared } from "./prepared.ts";
import { visibility } from "./visibility.ts";

/** What is visible is read once and grouped four times, and its roles once; the ten largest of each, and thirty days. */
export async function getOverview(pool: pg.Pool, caller: Caller) {
  const { condition, values } = visibility(caller, "read");
  const { rows } = await pool.query(prepared(selectOverview(condition), values));
  return rows[0].overview;
}

const most = (columns: string, from: string, order: string, limit: number) =>
  `select ${columns}, count(*) as count from ${from} group by ${columns} order by ${order} limit ${limit}`;
const others = (named: string, all = "visible") =>
  `(select count(*) from ${all}) - coalesce((select sum(count) from ${named}), 0)`;
const project = "json_build_object('id', p.id, 'name', p.name, 'organizationId', p.organization_id)";
const list = (row: string, from: string, order: string) =>
  `coalesce((select json_agg(${row} order by ${order}) from ${from}), '[]')`;

const selectOverview = (condition: string) => `
  with visible as materialized (
    select a.organization_id, a.project_id, a.state, (a.creation_date at time zone 'UTC')::date as day, a.role_keys
    from rival.authorizations a
    where ${condition}
  ), held as materialized (
    select v.project_id, key as role_key from visible v cross join unnest(v.role_keys) key
  ), organization_counts as (${most("organization_id", "visible", "count(*) desc, organization_id", 10)}
  ), project_counts as (${most("project_id", "visible", "count(*) desc, project_id", 10)}
  ), role_counts as (${most("project_id, role_key", "held", "count(*) desc, project_id, role_key", 10)}
  ), state_counts as (select state, count(*) as count from visible group by state
  ), day_counts as (${most("day", "visible", "day desc", 30)})
  select json_build_object(
    'totalResult', (select count(*) from visible),
    'organizations', ${list(
      "json_build_object('organization', json_build_object('id', o.id, 'name', o.name), 'count', c.count)",
      "organization_counts c join organizations o on o.id = c.organization_id",
      "c.count desc, o.id",
    )},
    'inOtherOrganizations', ${others("organization_counts")},
    'projects', ${list(
      `json_build_object('project', ${project}, 'count', c.count)`,
      "project_counts c join projects p on p.id = c.project_id",
      "c.count desc, p.id",
    )},
    'forOtherProjects', ${others("project_counts")},
    'roles', ${list(
      `json_build_object('project', ${project}, 'role', json_build_object(
        'key', r.key, 'displayName', r.display_name, 'group', r.group_name), 'count', c.count)`,
      `role_counts c join projects p on p.id = c.project_id
        join project_roles r on r.project_id = c.project_id and r.key = c.role_key`,
      "c.count desc, p.id, r.key",
    )},
    'ofOtherRoles', ${others("role_counts", "held")},
    'states', (
      select json_agg(json_build_object('state', 'STATE_' || upper(s.state::text), 'count', coalesce(c.count, 0)))
      from unnest('{active,inactive}'::authorization_state[]) s (state) left join state_counts c on c.state = s.state),
    'days', ${list("json_build_object('day', day, 'count', count)", "day_counts", "day desc")},
    'onEarlierDays', ${others("day_counts")},
    'newestDayExceedsLimit', false) as overview`;
