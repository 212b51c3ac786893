import sql, { raw, type Sql } from "sql-template-tag";
import type { Actor } from "../../authorization/actor.ts";
import { acting } from "../pool/acting.ts";
import { nextDate } from "../pool/next-date.ts";
import { isEntry, tokensFromDoomedUsers } from "./after.ts";

/**
 * Removals and what follows from them (docs/reference/directory.md). All statements work on sets: removing a role from
 * 100,000 authorizations takes only a few of them. The second step is in lock-affected.ts.
 */

/** First: finds everything that is removed, by name or together with what it belongs to. */
export const findDoomed = [
  `
  insert into doomed_organizations
  select id from organizations where id in (select id from staged_removals where kind = 'organization')`,
  `
  insert into doomed_users
  select id, organization_id from users where id in (select id from staged_removals where kind = 'user')
  union
  select id, organization_id from users where organization_id in (select id from doomed_organizations)`,
  `
  insert into doomed_projects
  select id, organization_id from projects where id in (select id from staged_removals where kind = 'project')
  union
  select id, organization_id from projects where organization_id in (select id from doomed_organizations)`,
  `
  insert into doomed_project_grants
  select id, project_id, organization_id, owner_id
  from project_grants
  where id in (select id from staged_removals where kind = 'projectGrant')
    or project_id in (select id from doomed_projects)
    or organization_id in (select id from doomed_organizations)`,
  `
  insert into lost_roles
  select r.project_id, r.key
  from project_roles r join staged_removals s on s.kind = 'projectRole' and s.project_id = r.project_id and s.key = r.key
  where r.project_id not in (select id from doomed_projects)`,
];

/**
 * Behind the locks: finds the tokens that go with removed users. Those are their own and the tokens made with them, except
 * for tokens of other users that the caller may not remove (docs/reference/tokens.md).
 *
 * @param organizations where the caller may remove users; undefined for everywhere
 */
export const findDoomedTokens = (organizations: readonly string[] | undefined): Sql => sql`
  insert into doomed_tokens
  select t.id
  from (${raw(tokensFromDoomedUsers)}) tree join tokens t on t.id = tree.id join users u on u.id = t.user_id
  where ${organizations === undefined}::boolean
    or u.organization_id = any(${organizations ?? []}::text[])
    or u.id in (select id from doomed_users)`;

/**
 * Third: removes authorizations, and appends their events. A named one gets the plain event, even if it would be removed
 * anyway. One that is added again gets only the event of that.
 */
export const removeAuthorizations = (actor: Actor): Sql => sql`
  with removed as (
    delete from authorizations a using doomed_authorizations d where a.id = d.id
    returning a.*, d.is_named
  )
  insert into events (
    authorization_id, type, time, actor_id, request_id, reason, user_id, project_id, organization_id, project_grant_id, role_keys,
    role_keys_before, state_before, creation_date_before)
  select
    id, case when is_named then 'user.grant.removed' else 'user.grant.cascade.removed' end,
    ${raw(nextDate("statement_timestamp()", "change_date"))}, ${acting(actor)},
    user_id, project_id, organization_id, project_grant_id, '{}',
    array(select h.role_key::text from authorization_roles h where h.authorization_id = r.id order by h.role_key),
    state, creation_date
  from removed r
  where not exists (select from resolved_authorizations s where s.id = r.id)`;

/** Takes the roles from authorizations that lose them. */
export const takeRoles = `
  delete from authorization_roles h using shrunk_authorizations l
  where h.authorization_id = l.id and h.role_key = l.role_key`;

/**
 * Links tokens that stay to the closest token above them that stays, if there is one, so that revoking that one still
 * revokes them.
 */
const keepTokens = `
  with recursive kept (id, made_with) as (
    select t.id, d.made_with
    from doomed_tokens join tokens d on d.id = doomed_tokens.id join tokens t on t.made_with = d.id
    where t.id not in (select id from doomed_tokens)
    union all
    select k.id, d.made_with
    from kept k join doomed_tokens on doomed_tokens.id = k.made_with join tokens d on d.id = k.made_with
  )
  update tokens t set made_with = k.made_with
  from kept k
  where t.id = k.id and not exists (select from doomed_tokens d where d.id = k.made_with)`;

/**
 * Fourth: removes the things themselves, starting with those that refer to others. Entries go with what they refer to.
 * Tokens would, too, and all made with them.
 */
export const remove = [
  `
  delete from project_grant_roles r using lost_roles l where r.project_id = l.project_id and r.role_key = l.role_key`,
  "delete from project_roles r using lost_roles l where r.project_id = l.project_id and r.key = l.role_key",
  "delete from project_grants where id in (select id from doomed_project_grants)",
  "delete from project_roles where project_id in (select id from doomed_projects)",
  "delete from projects where id in (select id from doomed_projects)",
  keepTokens,
  "delete from tokens where id in (select id from doomed_tokens)",
  "delete from users where id in (select id from doomed_users)",
  "delete from organizations where id in (select id from doomed_organizations)",
  `
  delete from administrators a using staged_removals s
  where s.kind = 'administrator' and ${isEntry("a", "s")}`,
];

/** Last: changes authorizations that lost a role and are not named by a change themselves. */
export const changeShrunk = (actor: Actor): Sql => sql`
  with changed as (
    update authorizations a
    set change_date = ${raw(nextDate("statement_timestamp()", "a.change_date"))}
    where a.id in (select id from shrunk_authorizations except select id from resolved_authorizations)
    returning a.*
  )
  insert into events (
    authorization_id, type, time, actor_id, request_id, reason, user_id, project_id, organization_id, project_grant_id, role_keys, state,
    creation_date, role_keys_before, state_before, creation_date_before)
  select
    a.id, 'user.grant.cascade.changed', a.change_date, ${acting(actor)}, a.user_id, a.project_id,
    a.organization_id, a.project_grant_id,
    array(select h.role_key::text from authorization_roles h where h.authorization_id = a.id order by h.role_key), a.state,
    a.creation_date,
    array(
      select h.role_key collate "C" as role_key from authorization_roles h where h.authorization_id = a.id
      union
      select unnest(l.role_keys)
      order by role_key),
    a.state, a.creation_date
  from changed a
  join (select id, array_agg(role_key) as role_keys from shrunk_authorizations group by id) l on l.id = a.id`;

/**
 * Runs after the events of everything removed, and before any others. So it knows which events belong to the removed
 * things, and not to new things with the same ids.
 */
export const rememberRemoved = `
  insert into removed_things (kind, id, organization_id, last_event, last_directory_event)
  select kind, id, organization_id,
    greatest((select max(sequence) from events), first_event - 1, 0),
    greatest((select max(sequence) from directory_events), first_directory_event - 1, 0)
  from kept_history cross join (
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
    last_directory_event = excluded.last_directory_event`;

/** Runs after the events, which set the numbers of removed things to zero. Deletes these numbers. */
export const forgetNumbers = `
  with about as (
    select organization_id, id as project_id, null as key from doomed_projects
    union
    select organization_id, project_id, null from doomed_project_grants
    union
    select id, '', null from doomed_organizations
    union
    select p.organization_id, l.project_id, l.role_key
    from lost_roles l join (
      select organization_id, id as project_id from projects
      union all
      select organization_id, project_id from project_grants) p using (project_id)
  )
  delete from numbers n
  using about a
  where n.kind in ('state', 'role') and n.organization_id = a.organization_id and n.project_id = a.project_id
    and (a.key is null or (n.kind = 'role' and n.key = a.key))
    and not exists (
      select from numbers s
      where (s.kind, s.organization_id, s.project_id, s.key) = (n.kind, n.organization_id, n.project_id, n.key)
      having sum(s.number) <> 0)`;
