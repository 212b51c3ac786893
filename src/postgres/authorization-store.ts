import sql from "sql-template-tag";
import type { Instant, Place, RemovedAuthorization } from "../authorization/authorization.ts";
import type { Visibility } from "../authorization/permissions.ts";
import type { AuthorizationChange, AuthorizationStore } from "../authorization/store.ts";
import { type Connection, type Database, named } from "./database.ts";
import { isVisible } from "./filters.ts";
import { listAuthorizations } from "./list-authorizations.ts";

export function postgresAuthorizations(database: Database): AuthorizationStore {
  return {
    list: (visibility, query, signal) => listAuthorizations(database, visibility, query, signal),
    change: (actorId, signal, work) =>
      database.transaction(signal, (connection) => work(changeOn(connection, actorId))),
  };
}

function changeOn(connection: Connection, actorId: string): AuthorizationChange {
  return {
    async lockVisible(visibility, id) {
      const [row] = await connection.query<LockedRow>(lockVisible(visibility, id));
      return row && { ...toPlace(row), id: row.id, userId: row.user_id, changeDate: row.change_date };
    },
    async findRemoved(id) {
      const [row] = await connection.query<RemovedRow>(findLastEvent(id));
      return row?.is_removal ? toRemoved(row) : undefined;
    },
    async roleKeys({ id }) {
      const rows = await connection.query<{ role_key: string }>(selectRoleKeys(id));
      return rows.map((row) => row.role_key);
    },
    async lockAssignableRoles(place, keys) {
      const rows = await connection.query<{ role_key: string }>(lockAssignableRoles(place, keys));
      return new Set(rows.map((row) => row.role_key));
    },
    async replaceRoles({ id }, keys) {
      const [row] = await connection.query<{ time: Instant }>(replaceRoles(id, keys, actorId));
      return dateOf(row);
    },
    async remove({ id }) {
      const [row] = await connection.query<{ time: Instant }>(removeAuthorization(id, actorId));
      return dateOf(row);
    },
  };
}

type PlaceRow = { project_id: string; organization_id: string; project_grant_id: string };
type LockedRow = PlaceRow & { id: string; user_id: string; change_date: Instant };
type RemovedRow = PlaceRow & { user_id: string; time: Instant; is_removal: boolean };

function toPlace(row: PlaceRow): Place {
  return {
    projectId: row.project_id,
    organizationId: row.organization_id,
    projectGrantId: row.project_grant_id,
  };
}

function toRemoved(row: RemovedRow): RemovedAuthorization {
  return { ...toPlace(row), userId: row.user_id, removalDate: row.time };
}

function dateOf(row: { time: Instant } | undefined): Instant {
  if (row === undefined) throw new Error("a locked authorization was not there to change");
  return row.time;
}

/** Only what the caller sees is locked, so that nobody can hold up what is none of its business. */
const lockVisible = (visibility: Visibility, id: string) => sql`
  select a.id, a.user_id, a.project_id, a.organization_id, a.project_grant_id, a.change_date
  from authorizations a
  where a.id = ${id}::text and ${isVisible(visibility)}
  for update`;

const findLastEvent = (id: string) =>
  named(
    "find last event",
    sql`
  select e.user_id, e.project_id, e.organization_id, e.project_grant_id, e.time,
    e.type in ('user.grant.removed', 'user.grant.cascade.removed') as is_removal
  from events e
  where e.authorization_id = ${id}::text
  order by e.sequence desc
  limit 1`,
  );

/** A statement of its own: read together with the lock it could show the roles of before the lock was had. */
const selectRoleKeys = (id: string) =>
  named(
    "select role keys",
    sql`
  select role_key from authorization_roles where authorization_id = ${id}::text order by role_key`,
  );

const lockAssignableRoles = ({ projectId, projectGrantId }: Place, keys: readonly string[]) =>
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

const replaceRoles = (id: string, keys: readonly string[], actorId: string) =>
  named(
    "replace roles",
    sql`
  with changed as (
    update authorizations
    set change_date = greatest(clock_timestamp(), change_date + interval '1 microsecond')
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
  insert into events (
    authorization_id, type, time, actor_id, user_id, project_id, organization_id, project_grant_id, role_keys, state)
  select
    a.id, 'user.grant.changed', a.change_date, ${actorId}::text, a.user_id, a.project_id, a.organization_id,
    a.project_grant_id, array(select key from unnest(${keys}::text[]) as key order by key collate "C"), a.state
  from changed a
  returning time`,
  );

const removeAuthorization = (id: string, actorId: string) =>
  named(
    "remove authorization",
    sql`
  with removed as (
    delete from authorizations where id = ${id}::text returning *
  )
  insert into events (
    authorization_id, type, time, actor_id, user_id, project_id, organization_id, project_grant_id, role_keys, state)
  select
    a.id, 'user.grant.removed', greatest(clock_timestamp(), a.change_date + interval '1 microsecond'),
    ${actorId}::text, a.user_id, a.project_id, a.organization_id, a.project_grant_id, '{}', null
  from removed a
  returning time`,
  );
