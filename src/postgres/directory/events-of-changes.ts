import sql, { raw, type Sql } from "sql-template-tag";
import type { Actor } from "../../authorization/actor.ts";
import { thingKinds } from "../../directory/history.ts";
import { acting } from "../pool/acting.ts";

/** Appends the events of resources that are removed. What refers to others comes first. */
export const appendRemovals = (actor: Actor) => appendEvents(actor, "is null", "desc");

/** Appends all other events. What others refer to comes first. */
export const appendOthers = (actor: Actor) => appendEvents(actor, "is not null", "asc");

/** Each event belongs to the places its thing was in, before and after. */
function appendEvents(actor: Actor, after: string, order: string): Sql {
  return sql`
  with appended as (
    insert into directory_events (time, kind, id, within, user_id, actor_id, request_id, reason, before, after)
    select statement_timestamp(), kind, id, within, user_id, ${acting(actor)},
      before, after
    from effects
    where before is distinct from after and after ${raw(after)}
    order by array_position(${thingKinds}::text[], kind) ${raw(order)}, position, id, within
    returning sequence, time, kind, id, within
  )
  insert into directory_event_places (kind, id, time, sequence)
  select place.kind, place.id, a.time, a.sequence
  from appended a
  join effects e on e.kind = a.kind and e.id = a.id and e.within = a.within
  cross join lateral (values
    ('organization', e.organization_id),
    (case e.kind when 'projectGrant' then 'grantOwner' else 'organization' end, e.other_organization_id),
    (case e.kind when 'projectGrant' then 'grantedProject' else 'project' end, e.project_id),
    ('projectGrant', e.project_grant_id)) as place (kind, id)
  where place.id is not null and e.before is distinct from e.after and e.after ${raw(after)}`;
}

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
