import { nextDate } from "../pool/next-date.ts";
import { grantOfPlace, joinGrantOfPlace } from "./after.ts";
import type { StagingTable } from "./staging.ts";

/** Assignments that are removed by name, or with their user, their project or the grant they depend on. */
const findDoomed = `
  insert into doomed_authorizations
  select id, bool_or(is_named)
  from (
    select a.id, true as is_named
    from staged_removals s join authorizations a on s.kind = 'authorization' and a.id = s.id
    union all
    select a.id, false from doomed_users d join authorizations a on a.user_id = d.id
    union all
    select a.id, false from doomed_projects d join authorizations a on a.owned_project_id = d.id
    union all
    select a.id, false from doomed_project_grants d join authorizations a on a.granted_by = d.id) found
  group by id`;

/** Assignments that lose a role, because it is removed from their project, or their grant is replaced without it. */
const findShrunk = `
  insert into shrunk_authorizations
  select lost.id, lost.role_key
  from (
    select h.authorization_id as id, h.role_key
    from lost_roles l join authorization_roles h on h.project_id = l.project_id and h.role_key = l.role_key
    union
    select h.authorization_id, h.role_key
    from staged_project_grants s
    join authorization_roles h on h.granted_by = s.id
    left join staged_project_grant_roles k on k.project_grant_id = s.id and k.role_key = h.role_key
    where k.role_key is null) lost
  left join doomed_authorizations d on d.id = lost.id
  where d.id is null`;

/**
 * The outcome for each staged authorization, with its event; no event if nothing changes. An authorization that a
 * removal in the same request or file takes away counts as new. For an id with a history, a given date is used if it is
 * later than the last date of that id; otherwise the current time is used. A change date is never before the creation
 * date. `offset 0` makes Postgres look up the last event only once, and not for each use of its date.
 */
const resolve = `
  insert into resolved_authorizations (
    position, id, user_id, project_id, organization_id, project_grant_id, state, creation_date, change_date, chosen_date,
    role_keys, role_keys_before, state_before, creation_date_before, project_id_before, organization_id_before, event)
  select
    s.position, s.id, s.user_id, s.project_id, s.organization_id,
    coalesce(${grantOfPlace}, ''),
    coalesce(s.state, case when stays then a.state end, 'active'),
    created.date,
    greatest(coalesce(later.change_date, case when stays then later.now end), created.date),
    later.now,
    coalesce(k.role_keys, '{}'),
    coalesce(h.role_keys, '{}'),
    a.state,
    a.creation_date,
    case when is_elsewhere then a.project_id end,
    case when is_elsewhere then a.organization_id end,
    case
      when not stays then 'user.grant.added'
      when k.role_keys is distinct from h.role_keys or s.creation_date <> a.creation_date
        or s.change_date > a.change_date then 'user.grant.changed'
      when s.state <> a.state then case s.state
        when 'active' then 'user.grant.reactivated' else 'user.grant.deactivated' end
    end
  from staged_authorizations s
  left join authorizations a on a.id = s.id
  left join doomed_authorizations d on d.id = a.id
  ${joinGrantOfPlace}
  cross join lateral (select
    a.id is not null and d.id is null as stays,
    (a.project_id, a.organization_id) <> (s.project_id, s.organization_id) as is_elsewhere) stored
  cross join lateral (
    select coalesce(a.change_date, (
      select e.time from kept_events e where e.authorization_id = s.id order by e.sequence desc limit 1)) as date
    offset 0) previous
  cross join lateral (select
    ${nextDate("statement_timestamp()", "previous.date")} as now,
    case when (s.creation_date > previous.date) is not false then s.creation_date end as creation_date,
    case when (s.change_date > previous.date) is not false then s.change_date end as change_date) later
  cross join lateral (select case when stays
    then coalesce(s.creation_date, a.creation_date)
    else coalesce(later.creation_date, least(later.change_date, later.now)) end as date) created
  left join (
    select authorization_id, array_agg(role_key order by role_key) as role_keys
    from staged_authorization_roles
    group by authorization_id) k on k.authorization_id = s.id
  left join (
    select authorization_id, array_agg(role_key::text order by role_key) as role_keys
    from authorization_roles
    where authorization_id in (select id from staged_authorizations)
    group by authorization_id) h on h.authorization_id = s.id`;

/**
 * Finds what the staged changes do to assignments: those that are named, and those that follow. Only reads what is stored. Later
 * statements use what earlier ones found.
 */
export const findAuthorizationEffects: readonly {
  readonly of: readonly StagingTable[];
  readonly statement: string;
}[] = [
  { of: ["staged_removals"], statement: findDoomed },
  { of: ["staged_removals", "staged_project_grants"], statement: findShrunk },
  { of: ["staged_authorizations"], statement: resolve },
];
