import { gateOf, mostClosedGates, projectGates } from "../change/project-gates.ts";
import { tokensFromDoomedUsers } from "./after.ts";

/** The projects that lose something. */
const lessenedProjects = `
      select id from doomed_projects
      union
      select project_id from doomed_project_grants
      union
      select project_id from lost_roles
      union
      select s.project_id
      from staged_project_grants s join project_grant_roles r on r.project_grant_id = s.id
      where not exists (
        select from staged_project_grant_roles k where k.project_grant_id = s.id and k.role_key = r.role_key)`;

const movingUsers = `
      select u.id from staged_users s join users u on u.id = s.id and u.organization_id <> s.organization_id`;

/**
 * The second step of applying changes: locks everything that will be removed, always in the same order. What follows a
 * change must be read after these locks.
 *
 * Requests share the gate and the lock of a project before they touch its authorizations, so earlier requests have finished,
 * and later ones wait. A user who is removed or moves takes its authorizations along, so it shares those of their projects,
 * like a request. Then the grants and users that are removed, and the users that move, are locked alone.
 *
 * @param isBeside whether changes of other organizations are made at the same time. Then the grants and users that entries
 *   refer to are locked, too, because they may belong to other organizations: they can't be removed before the entries are
 *   stored, and a removal that waits for that finds the entries. The same goes for users whose entries are removed with what
 *   they are on, so only one of two removals takes an entry along.
 */
export function lockAll(isBeside: boolean): string[] {
  const entries = (column: string) =>
    isBeside
      ? `
      union all
      select ${column}, false from staged_administrators where ${column} is not null
      union all
      select ${column}, false from staged_removals where kind = 'administrator' and ${column} is not null`
      : "";
  return [
    lockGates(isBeside),
    lockInTurn("projects", affectedProjects),
    lockInTurn("project_grants", `select id, true from doomed_project_grants${entries("project_grant_id")}`),
    lockInTurn(
      "users",
      `
      select id, true from doomed_users
      union all
      select id, true from (${movingUsers}) moving${entries("user_id")}
      ${isBeside ? `union all select user_id, false from (${usersOfDoomed}) users_of_doomed` : ""}`,
    ),
    ...(isBeside ? [lockVersions] : []),
    lockAuthorizations,
  ];
}

/** The projects that lose something, and those in which users who leave have authorizations. */
const affectedProjects = `
      select id, true from (${lessenedProjects}) lessened
      union all
      select distinct a.project_id, false
      from (select id from doomed_users union all ${movingUsers}) leaving
      join authorizations a on a.user_id = leaving.id`;

/** The users of entries that are removed together with what they are on. */
const usersOfDoomed = `
      select a.user_id from doomed_organizations d join administrators a on a.organization_id = d.id
      union
      select a.user_id from doomed_projects d join administrators a on a.project_id = d.id
      union
      select a.user_id from doomed_project_grants d join administrators a on a.project_grant_id = d.id`;

/** Every change of a user's entries renews their version (migrations/0002_callers.sql), whichever organization makes it. */
const lockVersions = `
  select count(*) from (
    select from administrator_versions
    where user_id in (
      select user_id from staged_administrators
      union
      select user_id from staged_removals where kind = 'administrator'
      union
      ${usersOfDoomed})
    order by user_id
    for update) locked`;

const lockGates = (isBeside: boolean) => `
  with gates as (
    select ${gateOf("id")} as gate, bool_or(is_alone) as is_alone
    from (${affectedProjects}) affected (id, is_alone)
    group by gate
  ), chosen as (
    select gate, is_alone, row_number() over (partition by is_alone order by gate) as place from gates
  )
  select count(case
    when is_alone then pg_advisory_xact_lock(${projectGates}, gate)
    else pg_advisory_xact_lock_shared(${projectGates}, gate) end)
  from (
    select gate, is_alone from chosen
    ${isBeside ? `where not is_alone or place <= ${mostClosedGates}` : ""}
    order by gate) ordered`;

/** Locks rows in the order of their ids: some alone, and the others only against being removed. */
const lockInTurn = (table: string, selectAsked: string) => `
  select count(*)
  from (
    select id, bool_or(is_alone) as is_alone from (${selectAsked}) as named (id, is_alone)
    group by id order by id) asked
  left join lateral (select from ${table} t where asked.is_alone and t.id = asked.id for update) alone on true
  left join lateral (select from ${table} t where not asked.is_alone and t.id = asked.id for key share) shared on true`;

const lockAuthorizations = `
  select count(*) from (
    select from authorizations
    where id in (
      select id from staged_authorizations
      union
      select id from staged_removals where kind = 'authorization'
      union
      select id from authorizations where user_id in (select id from doomed_users)
      union
      select a.id
      from staged_users s
      join users u on u.id = s.id and u.organization_id <> s.organization_id
      join authorizations a on a.user_id = u.id)
    order by id
    for update) locked`;

/**
 * Locks the tokens of removed users and the tokens made with them, and counts them. A token that is being created holds
 * the one it is made with, so each look can find more, until all are locked and no other can follow. Also keeps
 * the tokens above them from being revoked meanwhile, because tokens that stay are linked to those.
 */
export const lockTokens = `
  select count(alone.id)::integer as count
  from (
    select id, bool_or(is_alone) as is_alone
    from (
      select id, true from (${tokensFromDoomedUsers}) tree
      union all
      select t.made_with, false from doomed_users d join tokens t on t.user_id = d.id
      where t.made_with is not null) as named (id, is_alone)
    group by id order by id) asked
  left join lateral (select t.id from tokens t where asked.is_alone and t.id = asked.id for update) alone on true
  left join lateral (select from tokens t where not asked.is_alone and t.id = asked.id for key share) shared on true`;
