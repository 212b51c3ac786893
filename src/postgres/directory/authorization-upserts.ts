import sql, { type Sql } from "sql-template-tag";
import type { Actor } from "../../authorization/actor.ts";
import { acting } from "../pool/acting.ts";

/** Leaves out those whose twin was created after they were checked. Waits for one that is being created. */
export const addAuthorizations = `
  insert into authorizations (
    id, user_id, user_organization_id, user_name, project_id, organization_id, project_grant_id, state, creation_date,
    change_date)
  select
    r.id, r.user_id, u.organization_id, fold_case(u.display_name), r.project_id, r.organization_id, r.project_grant_id,
    r.state, r.creation_date, r.change_date
  from resolved_authorizations r join users u on u.id = r.user_id
  where r.event = 'user.grant.added'
  order by r.position
  on conflict (user_id, project_id, organization_id) do nothing`;

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
  from resolved_authorizations r
  join authorizations a on a.id = r.id
  join staged_authorization_roles k on k.authorization_id = r.id
  where r.event in ('user.grant.added', 'user.grant.changed')
  on conflict do nothing`;

/** Keeps the order of change dates, after all authorizations were changed. */
export const keepChangeDates = `
  merge into authorization_change_dates c
  using (
    select changed.id, a.organization_id, a.project_id, a.change_date
    from (
      select id from doomed_authorizations
      union
      select id from shrunk_authorizations
      union
      select id from resolved_authorizations where event is not null) changed
    left join authorizations a on a.id = changed.id) a
  on c.id = a.id
  when matched and a.change_date is null then delete
  when matched then update set
    organization_id = a.organization_id, project_id = a.project_id, change_date = a.change_date
  when not matched and a.change_date is not null then
    insert (id, organization_id, project_id, change_date)
    values (a.id, a.organization_id, a.project_id, a.change_date)`;

/**
 * Appends one event for each authorization. If the same change first removes and then adds an authorization, the event
 * says that it was added, and has the removed one, possibly in another place, as its state before. The time of an added
 * authorization is its creation date, even if an import has a later change date.
 */
export const appendResolved = (actor: Actor): Sql => sql`
  insert into events (
    authorization_id, type, time, actor_id, request_id, reason, user_id, project_id, organization_id, project_grant_id, role_keys, state,
    creation_date, role_keys_before, state_before, creation_date_before, project_id_before, organization_id_before)
  select
    id, event, case event when 'user.grant.added' then creation_date else change_date end, ${acting(actor)},
    user_id, project_id, organization_id, project_grant_id, role_keys, state, creation_date, role_keys_before,
    state_before, creation_date_before, project_id_before, organization_id_before
  from resolved_authorizations
  where event is not null
  order by position`;
