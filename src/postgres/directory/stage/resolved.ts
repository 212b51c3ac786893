import { nextDate } from "../../pool/next-date.ts";
import { grantOfPlace, joinGrantOfPlace } from "./after.ts";
import { currentAuthorizations, stagedKeys } from "./resources.ts";

/** When the ends that have passed were written, if they were: no end may pass between that and the events of changes. */
const moment =
  "coalesce(nullif(current_setting('authorization_service.moment', true), '')::timestamptz, statement_timestamp())";

/** What becomes of a staged authorization: the columns of its event. */
export const resolvedColumns = `
  position bigint, id text, user_id text, project_id text, organization_id text, project_grant_id text,
  state authorization_state, creation_date timestamptz, change_date timestamptz, chosen_date timestamptz, role_keys text[],
  role_keys_before text[], state_before authorization_state, creation_date_before timestamptz, project_id_before text,
  organization_id_before text, expiration_date timestamptz, expired boolean, expiration_date_before timestamptz, event text`;

/**
 * The outcome for each staged authorization, with its event; no event if nothing changes. An authorization that a
 * removal in the same request or file takes away counts as new. For an id with a history, a given date is used if it is
 * later than the last date of that id; otherwise the current time is used. A change date is never before the creation
 * date. One that is active stays so until its end is written. If the change gives no change date, `chosen_date` is the one it gets. `offset 0` makes Postgres find the last event and the
 * keys only once, and not for each use of them.
 */
export const selectResolved = `
  select
    s.position, s.id, s.user_id, s.project_id, s.organization_id,
    coalesce(${grantOfPlace}, '') as project_grant_id,
    (case when is_deactivated or is_ended then 'inactive' else 'active' end)::authorization_state as state,
    created.date as creation_date,
    greatest(coalesce(later.change_date, case when stays then later.now end), created.date) as change_date,
    later.now as chosen_date,
    k.role_keys,
    coalesce(h.role_keys, '{}') as role_keys_before,
    a.state as state_before,
    a.creation_date as creation_date_before,
    case when is_elsewhere then a.project_id end as project_id_before,
    case when is_elsewhere then a.organization_id end as organization_id_before,
    wanted.expiration_date, is_ended and not is_deactivated as expired, a.expiration_date as expiration_date_before,
    case
      when not stays then 'user.grant.added'
      when k.role_keys <> coalesce(h.role_keys, '{}') or s.creation_date <> a.creation_date
        or s.change_date > a.change_date or wanted.expiration_date is distinct from a.expiration_date
        then 'user.grant.changed'
      when is_deactivated <> was_deactivated then case
        when is_deactivated then 'user.grant.deactivated'
        when is_ended then 'user.grant.changed'
        else 'user.grant.reactivated' end
    end as event
  from staged_authorizations s
  left join ${currentAuthorizations} a on a.id = s.id
  left join doomed_authorizations d on d.id = a.id
  ${joinGrantOfPlace}
  cross join lateral (select
    a.id is not null and d.id is null as stays,
    coalesce(a.state = 'inactive' and not a.expired, false) as was_deactivated,
    (a.project_id, a.organization_id) <> (s.project_id, s.organization_id) as is_elsewhere) stored
  cross join lateral (select
    case when s.expiration_date is not null then nullif(s.expiration_date, 'infinity')
      when stays then a.expiration_date end as expiration_date,
    case when s.expired then false when s.state is not null then s.state = 'inactive'
      else stays and was_deactivated end as is_deactivated) wanted
  cross join lateral (select coalesce(wanted.expiration_date <= ${moment}
    and not (stays and a.state = 'active' and wanted.expiration_date is not distinct from a.expiration_date), false) as is_ended) ended
  cross join lateral (
    select coalesce(a.change_date, (
      select e.time from kept_events e where e.authorization_id = s.id order by e.sequence desc limit 1)) as date
    offset 0) previous
  cross join lateral (select
    ${nextDate(moment, "previous.date")} as now,
    case when (s.creation_date > previous.date) is not false then s.creation_date end as creation_date,
    case when (s.change_date > previous.date) is not false then s.change_date end as change_date) later
  cross join lateral (select case when stays
    then coalesce(s.creation_date, a.creation_date)
    else coalesce(later.creation_date, least(later.change_date, later.now)) end as date) created
  cross join lateral (select ${stagedKeys("s")} as role_keys offset 0) k
  left join (
    select authorization_id, array_agg(role_key::text order by role_key) as role_keys
    from authorization_roles
    where authorization_id in (select id from staged_authorizations)
    group by authorization_id) h on h.authorization_id = s.id`;
