import sql, { type Sql } from "sql-template-tag";
import type { Actor } from "../../../authorization/actor.ts";
import { thingKinds } from "../../../directory/history.ts";
import { acting } from "../../pool/acting.ts";

/**
 * Appends the events of everything that changes, each with the places its thing was in, before and after. Those of removals
 * come first, and of these what refers to others; of the rest, what others refer to. Runs after the events of removed
 * assignments and before all others of assignments, so it knows which belong to what is removed, and not to a new thing with
 * the same id.
 *
 * The sequences are read from an array. Postgres can't know how many events there are, and a join could take their square.
 *
 * @param removes whether anything can be removed that must be remembered
 * @param selected what the statement selects of the effects, which are found only once
 */
export const appendEvents = (actor: Actor, removes: boolean, selected = sql`select`): Sql => sql`
  with ordered as materialized (
    select *, row_number() over (
      order by after is not null, array_position(${thingKinds}::text[], kind) * case when after is null then -1 else 1 end,
        position, id, within) as nth
    from effects
    where before is distinct from after
  ), appended as (
    insert into directory_events (time, kind, id, within, user_id, actor_id, request_id, reason, before, after)
    select statement_timestamp(), kind, id, within, user_id, ${acting(actor)}, before, after
    from ordered
    order by nth
    returning sequence
  ), sequences as materialized (
    select array_agg(sequence order by sequence) as taken from appended
  ), placed as (
    insert into directory_event_places (kind, id, time, sequence)
    select place.kind, place.id, statement_timestamp(), taken[nth]
    from sequences cross join ordered o cross join lateral (values
      ('organization', o.organization_id),
      (case o.kind when 'projectGrant' then 'grantOwner' else 'organization' end, o.other_organization_id),
      (case o.kind when 'projectGrant' then 'grantedProject' else 'project' end, o.project_id),
      ('projectGrant', o.project_grant_id)) as place (kind, id)
    where place.id is not null
  )${removes ? sql`, ${remembered}` : sql``}
  ${selected}`;

/** What is removed, with its last events. Assignments that go with it have theirs already. */
const remembered = sql`remembered as (
    insert into removed_things (kind, id, organization_id, last_event, last_directory_event)
    select removed.kind, removed.id, removed.organization_id,
      greatest((select max(sequence) from events), first_event - 1, 0),
      taken[(select count(*) from ordered where after is null)]
    from sequences cross join kept_history cross join (
      select 'organization' as kind, id, id as organization_id from doomed_organizations
      union all
      select 'user', id, organization_id from doomed_users
      union all
      select 'project', id, organization_id from doomed_projects
      union all
      select 'projectGrant', id, owner_id from doomed_project_grants) removed
    on conflict (kind, id) do update set
      organization_id = excluded.organization_id,
      last_event = excluded.last_event,
      last_directory_event = excluded.last_directory_event
  )`;

/**
 * Appends one event for each authorization. If the same change first removes and then adds an authorization, the event
 * says that it was added, and has the removed one, possibly in another place, as its state before. The time of an added
 * authorization is its creation date, even if an import has a later change date.
 */
export const appendResolved = (actor: Actor): Sql => sql`
  insert into events (
    authorization_id, type, time, actor_id, request_id, reason, user_id, project_id, organization_id, project_grant_id, role_keys, state,
    creation_date, role_keys_before, state_before, creation_date_before, project_id_before, organization_id_before,
    expiration_date, expiration_date_before)
  select
    id, event, case event when 'user.grant.added' then creation_date else change_date end, ${acting(actor)},
    user_id, project_id, organization_id, project_grant_id, role_keys, state, creation_date, role_keys_before,
    state_before, creation_date_before, project_id_before, organization_id_before,
    expiration_date, expiration_date_before
  from resolved_authorizations
  where event is not null
  order by position`;
