/**
 * The outcome for each staged authorization, with its event; no event if nothing changes. An authorization that a
 * removal in the same request or file took away counts as new. For an id with a history, a given date is used if it is
 * later than the last date of that id; otherwise the current time is used. A change date is never before the creation
 * date. `offset 0` makes Postgres look up the last event only once, and not for each use of its date.
 */
export const resolveAuthorizations = `
  insert into resolved_authorizations (
    position, id, user_id, project_id, organization_id, project_grant_id, state, creation_date, change_date, role_keys,
    role_keys_before, state_before, creation_date_before, event)
  select
    s.position, s.id, s.user_id, s.project_id, s.organization_id, coalesce(g.id, ''),
    coalesce(s.state, a.state, 'active'),
    created.date,
    greatest(coalesce(later.change_date, case when a.id is not null then later.now end), created.date),
    coalesce(k.role_keys, '{}'),
    array(
      select role_key collate "C" as role_key from unnest(h.role_keys) as role_key
      union
      select l.role_key from shrunk_authorizations l where l.id = a.id
      order by role_key),
    a.state,
    a.creation_date,
    case
      when a.id is null then 'user.grant.added'
      when k.role_keys is distinct from h.role_keys or s.creation_date <> a.creation_date
        or s.change_date > a.change_date or a.id in (select id from shrunk_authorizations) then 'user.grant.changed'
      when s.state <> a.state then case s.state
        when 'active' then 'user.grant.reactivated' else 'user.grant.deactivated' end
    end
  from staged_authorizations s
  left join authorizations a on a.id = s.id
  left join pending_events removed on removed.authorization_id = s.id
  cross join lateral (
    select coalesce(a.change_date, removed.last_change_date, (
      select e.time from events e where e.authorization_id = s.id order by e.sequence desc limit 1)) as date
    offset 0) previous
  cross join lateral (select
    greatest(statement_timestamp(), previous.date + interval '1 microsecond') as now,
    case when (s.creation_date > previous.date) is not false then s.creation_date end as creation_date,
    case when (s.change_date > previous.date) is not false then s.change_date end as change_date) later
  cross join lateral (select case when a.id is null
    then coalesce(later.creation_date, least(later.change_date, later.now))
    else coalesce(s.creation_date, a.creation_date) end as date) created
  left join project_grants g on g.project_id = s.project_id and g.organization_id = s.organization_id
  left join (
    select authorization_id, array_agg(role_key order by role_key) as role_keys
    from staged_authorization_roles
    group by authorization_id) k on k.authorization_id = s.id
  left join (
    select authorization_id, array_agg(role_key::text order by role_key) as role_keys
    from authorization_roles
    where authorization_id in (select id from staged_authorizations)
    group by authorization_id) h on h.authorization_id = s.id`;

export const addAuthorizations = `
  insert into authorizations (
    id, user_id, user_organization_id, user_name, project_id, organization_id, project_grant_id, state, creation_date,
    change_date)
  select
    r.id, r.user_id, u.organization_id, fold_case(u.display_name), r.project_id, r.organization_id, r.project_grant_id,
    r.state, r.creation_date, r.change_date
  from resolved_authorizations r join users u on u.id = r.user_id
  where r.event = 'user.grant.added'
  order by r.position`;

export const changeAuthorizations = `
  update authorizations a
  set state = r.state, creation_date = r.creation_date, change_date = r.change_date
  from resolved_authorizations r
  where r.event <> 'user.grant.added' and a.id = r.id`;

export const dropRoles = `
  delete from authorization_roles h
  using resolved_authorizations r
  where r.event = 'user.grant.changed' and h.authorization_id = r.id and h.role_key <> all (r.role_keys)`;

export const addRoles = `
  insert into authorization_roles (authorization_id, project_id, project_grant_id, role_key)
  select r.id, r.project_id, r.project_grant_id, k.role_key
  from resolved_authorizations r join staged_authorization_roles k on k.authorization_id = r.id
  where r.event in ('user.grant.added', 'user.grant.changed')
  on conflict do nothing`;

/**
 * Writes one event for each authorization. If the same change first removes and then adds an authorization, the event
 * says that it was added, and has the removed one, possibly in another place, as its state before. The time of an added
 * authorization is its creation date, even if an import has a later change date.
 */
export const resolvedEvents = `
  with forgotten as (
    delete from pending_events where authorization_id in (select id from resolved_authorizations)
    returning *
  )
  insert into pending_events (
    authorization_id, type, time, user_id, project_id, organization_id, project_grant_id, role_keys, state, creation_date,
    role_keys_before, state_before, creation_date_before, project_id_before, organization_id_before)
  select
    r.id, r.event, case r.event when 'user.grant.added' then r.creation_date else r.change_date end, r.user_id,
    r.project_id, r.organization_id, r.project_grant_id, r.role_keys, r.state, r.creation_date,
    coalesce(f.role_keys_before, r.role_keys_before), coalesce(f.state_before, r.state_before),
    coalesce(f.creation_date_before, r.creation_date_before),
    case when w.is_elsewhere then f.project_id end, case when w.is_elsewhere then f.organization_id end
  from resolved_authorizations r
  left join forgotten f on f.authorization_id = r.id
  cross join lateral (
    select (f.project_id, f.organization_id) <> (r.project_id, r.organization_id) as is_elsewhere) w
  where r.event is not null
  order by r.position`;
