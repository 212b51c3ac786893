import sql, { raw, type Sql } from "sql-template-tag";
import type { NewAuthorization, Place, State } from "../authorization/authorization.ts";
import type { Visibility } from "../authorization/permissions.ts";
import { isVisible } from "./filters.ts";
import { named, namedByText } from "./prepared.ts";
import { projectGates } from "./project-gates.ts";

/** The first lock of every change: see AuthorizationChange for the order. */
export const lockProjectOf = (visibility: Visibility, id: string) =>
  namedByText(sql`
  with entered as materialized (
    select a.project_id, ${enterGate(sql`a.project_id`)}
    from authorizations a
    where a.id = ${id}::text and ${isVisible(visibility)}
  )
  select from entered e cross join lateral (select from projects p where p.id = e.project_id for key share) p`);

/** Only what the caller sees is locked, so that nobody can hold up what is none of its business. */
export const lockVisible = (visibility: Visibility, id: string) =>
  namedByText(sql`
  select a.id, a.user_id, a.project_id, a.organization_id, a.project_grant_id, a.state, a.change_date
  from authorizations a
  where a.id = ${id}::text and ${isVisible(visibility)}
  for update`);

/**
 * Where it was, as that is today: a project or a grant of the same id can be another one by now, and its administrators
 * have nothing to do with what was removed. Then only wider scopes count. As eventReachOf in src/postgres/event-reach.ts
 * says of all events: the two must agree.
 */
export const findLastRemoval = (id: string) =>
  named(
    "find last removal",
    sql`
  select e.user_id, e.organization_id, e.time, coalesce(g.id, '') as project_grant_id,
    case when g.id is not null or p.organization_id = e.organization_id then e.project_id else '' end as project_id
  from events e
  left join projects p on p.id = e.project_id
  left join project_grants g
    on g.id = e.project_grant_id and g.project_id = e.project_id and g.organization_id = e.organization_id
  where e.authorization_id = ${id}::text and e.type in ('user.grant.removed', 'user.grant.cascade.removed')
  order by e.sequence desc
  limit 1`,
  );

/** A statement of its own: read together with the lock it could show the roles of before the lock was had. */
export const selectRoleKeys = (id: string) =>
  named(
    "select role keys",
    sql`
  select role_key from authorization_roles where authorization_id = ${id}::text order by role_key`,
  );

export const lockAssignableRoles = ({ projectId, projectGrantId }: Place, keys: readonly string[]) =>
  projectGrantId === ""
    ? named(
        "lock project roles",
        sql`
  select key as role_key from project_roles
  where project_id = ${projectId}::text and key = any(${keys}::text[])
  order by key
  for key share`,
      )
    : named(
        "lock grant roles",
        sql`
  select role_key from project_grant_roles
  where project_grant_id = ${projectGrantId}::text and role_key = any(${keys}::text[])
  order by role_key
  for key share`,
      );

export const lockProject = (projectId: string) =>
  named(
    "lock project",
    sql`
  with entered as materialized (select ${projectId}::text as id, ${enterGate(sql`${projectId}::text`)})
  select from entered e cross join lateral (select from projects p where p.id = e.id for key share) p`,
  );

/** A statement of its own: read together with the lock it could show a grant of before the lock was had. */
export const findPlace = (projectId: string, organizationId: string) =>
  named(
    "find place",
    sql`
  select p.id as project_id, ${organizationId}::text as organization_id, coalesce(g.id, '') as project_grant_id
  from projects p
  left join project_grants g on g.project_id = p.id and g.organization_id = ${organizationId}::text
  where p.id = ${projectId}::text and (g.id is not null or p.organization_id = ${organizationId}::text)`,
  );

export const lockParties = (userId: string, organizationId: string) =>
  named(
    "lock parties",
    sql`
  with found as (select from users where id = ${userId}::text for key share)
  select
    exists (select from found) as "user",
    exists (select from organizations where id = ${organizationId}::text) as organization`,
  );

/** Waits for a racing twin and adds nothing when that one was first. */
export const create = ({ id, userId, place, roleKeys }: NewAuthorization, actorId: string) =>
  named(
    "create authorization",
    sql`
  with created as (
    insert into authorizations (
      id, user_id, user_organization_id, project_id, organization_id, project_grant_id, creation_date, change_date)
    select ${id}::text, ${userId}::text, (select u.organization_id from users u where u.id = ${userId}::text),
      ${place.projectId}::text, ${place.organizationId}::text, ${place.projectGrantId}::text, now, now
    from clock_timestamp() as now
    on conflict (user_id, project_id, organization_id) do nothing
    returning *
  ), roles as (
    insert into authorization_roles (authorization_id, project_id, project_grant_id, role_key)
    select a.id, a.project_id, a.project_grant_id, key
    from created a cross join unnest(${roleKeys}::text[]) as key
  )
  ${appendEvent("user.grant.added", sql`created`, actorId, sortedKeys(roleKeys))}`,
  );

export const findSame = ({ userId, place }: NewAuthorization) =>
  named(
    "find same",
    sql`
  select id from authorizations
  where user_id = ${userId}::text and project_id = ${place.projectId}::text
    and organization_id = ${place.organizationId}::text`,
  );

export const setState = (id: string, state: State, actorId: string) =>
  named(
    `set ${state}`,
    sql`
  with changed as (
    update authorizations
    set state = ${state}::authorization_state, change_date = ${nextChangeDate}
    where id = ${id}::text
    returning *
  )
  ${appendEvent(
    state === "active" ? "user.grant.reactivated" : "user.grant.deactivated",
    sql`changed`,
    actorId,
    sql`array(select h.role_key from authorization_roles h where h.authorization_id = a.id order by h.role_key)`,
  )}`,
  );

export const replaceRoles = (id: string, keys: readonly string[], actorId: string) =>
  named(
    "replace roles",
    sql`
  with changed as (
    update authorizations
    set change_date = ${nextChangeDate}
    where id = ${id}::text
    returning *
  ), dropped as (
    delete from authorization_roles where authorization_id = ${id}::text and role_key <> all(${keys}::text[])
  ), added as (
    insert into authorization_roles (authorization_id, project_id, project_grant_id, role_key)
    select a.id, a.project_id, a.project_grant_id, key
    from changed a cross join unnest(${keys}::text[]) as key
    on conflict do nothing
  )
  ${appendEvent("user.grant.changed", sql`changed`, actorId, sortedKeys(keys))}`,
  );

export const remove = (id: string, actorId: string) =>
  named(
    "remove authorization",
    sql`
  with removed as (
    delete from authorizations where id = ${id}::text returning *
  )
  insert into events (
    authorization_id, type, time, actor_id, user_id, project_id, organization_id, project_grant_id, role_keys, state)
  select
    a.id, 'user.grant.removed', ${nextChangeDate},
    ${actorId}::text, a.user_id, a.project_id, a.organization_id, a.project_grant_id, '{}', null
  from removed a
  returning time`,
  );

/** The change date strictly rises, also when the clock was set back or an import dated a change in the future. */
const nextChangeDate = sql`greatest(clock_timestamp(), change_date + interval '1 microsecond')`;

/** The event of a change says what the authorization was after it. */
function appendEvent(type: string, changed: Sql, actorId: string, roleKeys: Sql): Sql {
  return sql`
  insert into events (
    authorization_id, type, time, actor_id, user_id, project_id, organization_id, project_grant_id, role_keys, state)
  select
    a.id, ${raw(`'${type}'`)}, a.change_date, ${actorId}::text, a.user_id, a.project_id, a.organization_id,
    a.project_grant_id, ${roleKeys}, a.state
  from ${changed} a
  returning time`;
}

function enterGate(projectId: Sql): Sql {
  return sql`pg_advisory_xact_lock_shared(${raw(String(projectGates))}, hashtext(${projectId}::text) & 1023)`;
}

function sortedKeys(keys: readonly string[]): Sql {
  return sql`array(select key from unnest(${keys}::text[]) as key order by key collate "C")`;
}
