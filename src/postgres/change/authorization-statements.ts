import sql, { raw, type Sql } from "sql-template-tag";
import type { Actor } from "../../authorization/actor.ts";
import type { NewAuthorization, State } from "../../authorization/authorization.ts";
import type { Holding, Whereabouts } from "../../authorization/store.ts";
import { acting } from "../pool/acting.ts";
import { nextDate } from "../pool/next-date.ts";
import { givenIds, givenRows, keptFor } from "../pool/parameter-rows.ts";
import { namedFor } from "../pool/prepared.ts";
import { isSameCombination } from "../pool/same-combination.ts";
import { hiddenTo } from "../seen/places.ts";

/**
 * Where they were, in terms of today's directory. An organization, a project or a grant with the same id may now be
 * another one, whose administrators have nothing to do with the removed authorization. Then only wider scopes apply. `events` in
 * src/postgres/seen/places.ts decides the same for all events, and must agree.
 */
export const findLastRemovals = (ids: readonly string[]) =>
  namedFor(
    ids,
    "find last removals",
    sql`
  select e.authorization_id as id, e.user_id, e.time, coalesce(g.id, '') as project_grant_id,
    case when e.sequence > ${hiddenTo("organization", sql`e.organization_id`)} then e.organization_id else '' end
      as organization_id,
    case when g.id is not null or p.organization_id = e.organization_id then e.project_id else '' end as project_id
  from ${givenIds("asked", ids)}
  cross join lateral (
    select * from kept_events
    where authorization_id = asked.id and type in ('user.grant.removed', 'user.grant.cascade.removed')
    order by sequence desc
    limit 1) e
  left join projects p on p.id = e.project_id and e.sequence > ${hiddenTo("project", sql`e.project_id`)}
  left join project_grants g
    on g.id = e.project_grant_id and g.project_id = e.project_id and g.organization_id = e.organization_id
      and e.sequence > ${hiddenTo("projectGrant", sql`e.project_grant_id`)}`,
  );

/** A separate statement: read together with the lock, the roles could be those from before the lock. */
export const findHolding = (wanted: readonly Holding[]) =>
  namedFor(
    wanted,
    "find holding",
    sql`
  select wanted.id
  from ${holdings("wanted", wanted)}
  where ${sortedKeys} = ${heldKeys(sql`wanted.id`)}`,
  );

/** A separate statement: read together with the lock, the grant could be the one from before the lock. */
export const findPlaces = (asked: readonly Whereabouts[]) =>
  namedFor(
    asked,
    "find places",
    sql`
  select p.id as project_id, asked.organization_id, coalesce(g.id, '') as project_grant_id
  from ${givenRows(
    "asked",
    asked.map(({ projectId, organizationId }) => ({ project_id: projectId, organization_id: organizationId })),
  )}
  join projects p on p.id = asked.project_id
  left join project_grants g on g.project_id = asked.project_id and g.organization_id = asked.organization_id
  where g.id is not null or p.organization_id = asked.organization_id`,
  );

/**
 * Waits for racing creates of the same combination, and adds nothing if another one was first. It works in the order of
 * the combinations, so no two transactions wait for each other.
 */
export const create = (authorizations: readonly NewAuthorization[], actor: Actor) =>
  namedFor(
    authorizations,
    "create authorizations",
    sql`
  with wanted as ${keptFor(authorizations)} (
    select * from ${givenRows("given", authorizations.map(rowOf))}
  ), created as (
    insert into authorizations (
      id, user_id, user_organization_id, user_name, project_id, organization_id, project_grant_id, creation_date,
      change_date)
    select
      wanted.id, user_id, (select u.organization_id from users u where u.id = user_id),
      (select fold_case(u.display_name) from users u where u.id = user_id), project_id, organization_id,
      project_grant_id, now, now
    from wanted cross join clock_timestamp() as now
    order by user_id collate "C", project_id collate "C", organization_id collate "C", position
    on conflict (user_id, project_id, organization_id) do nothing
    returning *
  ), roles as (
    insert into authorization_roles (authorization_id, project_id, project_grant_id, role_key)
    select a.id, a.project_id, a.project_grant_id, key
    from created a join wanted using (id) cross join unnest(wanted.keys) as key
  )
  ${appendEvents("user.grant.added", sql`created a join wanted on wanted.id = a.id`, actor, sortedKeys)}`,
  );

export const findSame = (authorizations: readonly NewAuthorization[]) =>
  namedFor(
    authorizations,
    "find same",
    sql`
  select wanted.id, a.id as existing_id
  from ${givenRows("wanted", authorizations.map(rowOf))}
  join authorizations a on ${raw(isSameCombination("a", "wanted"))}`,
  );

export const setState = (ids: readonly string[], state: State, actor: Actor) =>
  namedFor(
    ids,
    `set ${state}`,
    sql`
  with changed as (
    update authorizations a
    set state = ${state}::authorization_state, change_date = ${nextChangeDate}
    from ${givenIds("wanted", ids)} join authorizations before on before.id = wanted.id
    where a.id = wanted.id
    returning a.*, wanted.position, before.state as state_before, ${heldKeys(sql`a.id`)} as keys
  )
  ${appendEvents(
    state === "active" ? "user.grant.reactivated" : "user.grant.deactivated",
    sql`changed a`,
    actor,
    sql`keys`,
    { roleKeys: sql`keys`, state: sql`state_before` },
  )}`,
  );

export const replaceRoles = (wanted: readonly Holding[], actor: Actor) =>
  namedFor(
    wanted,
    "replace roles",
    sql`
  with wanted as ${keptFor(wanted)} (select * from ${holdings("given", wanted)}), changed as (
    update authorizations a
    set change_date = ${nextChangeDate}
    from wanted
    where a.id = wanted.id
    returning a.*, wanted.keys, wanted.position, ${heldKeys(sql`a.id`)} as held
  ), dropped as (
    delete from authorization_roles h using wanted
    where h.authorization_id = wanted.id and h.role_key <> all (wanted.keys)
  ), added as (
    insert into authorization_roles (authorization_id, project_id, project_grant_id, role_key)
    select a.id, a.project_id, a.project_grant_id, key
    from changed a cross join unnest(a.keys) as key
    where key <> all (a.held)
  )
  ${appendEvents("user.grant.changed", sql`changed a`, actor, sortedKeys, {
    roleKeys: sql`held`,
    state: sql`a.state`,
  })}`,
  );

export const remove = (ids: readonly string[], actor: Actor) =>
  namedFor(
    ids,
    "remove authorizations",
    sql`
  with removed as (
    delete from authorizations a using ${givenIds("wanted", ids)} where a.id = wanted.id
    returning a.*, wanted.position
  )
  insert into events (
    authorization_id, type, time, actor_id, request_id, reason, user_id, project_id, organization_id, project_grant_id,
    role_keys, role_keys_before, state_before, creation_date_before)
  select
    a.id, 'user.grant.removed', ${nextChangeDate}, ${acting(actor)}, a.user_id, a.project_id, a.organization_id,
    a.project_grant_id, '{}', ${heldKeys(sql`a.id`)}, a.state, a.creation_date
  from removed a
  order by position
  returning authorization_id as id, time`,
  );

const nextChangeDate = raw(nextDate("clock_timestamp()", "a.change_date"));

type Before = { readonly roleKeys: Sql; readonly state: Sql };

/** Appends the events of a change, with the authorization before and after it. Returns when each was changed. */
function appendEvents(type: string, changed: Sql, actor: Actor, roleKeys: Sql, before?: Before): Sql {
  const creationDateBefore = before === undefined ? sql`null` : sql`a.creation_date`;
  const { roleKeys: roleKeysBefore, state: stateBefore } = before ?? { roleKeys: sql`'{}'`, state: sql`null` };
  return sql`
  insert into events (
    authorization_id, type, time, actor_id, request_id, reason, user_id, project_id, organization_id, project_grant_id,
    role_keys, state, creation_date, role_keys_before, state_before, creation_date_before)
  select
    a.id, ${raw(`'${type}'`)}, a.change_date, ${acting(actor)}, a.user_id, a.project_id, a.organization_id,
    a.project_grant_id, ${roleKeys}, a.state, a.creation_date, ${roleKeysBefore}, ${stateBefore}, ${creationDateBefore}
  from ${changed}
  order by position
  returning authorization_id as id, time`;
}

const sortedKeys = sql`array(select key from unnest(keys) as key order by key collate "C")`;

function heldKeys(id: Sql): Sql {
  return sql`array(
    select h.role_key::text from authorization_roles h where h.authorization_id = ${id} order by h.role_key)`;
}

function holdings(name: string, wanted: readonly Holding[]): Sql {
  return givenRows(
    name,
    wanted.map(({ id, roleKeys }) => ({ id, keys: roleKeys })),
  );
}

function rowOf({ id, userId, place, roleKeys }: NewAuthorization) {
  return {
    id,
    user_id: userId,
    project_id: place.projectId,
    organization_id: place.organizationId,
    project_grant_id: place.projectGrantId,
    keys: roleKeys,
  };
}
