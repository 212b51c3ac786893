/**
 * What will be there after the staged changes, as joins: what is staged, and what is stored and not doomed. They look up
 * single ids. A view of the same could be read more easily, but Postgres would read whole tables for each check, because
 * it can't look up an id in a union of such conditions.
 */

/** Tables whose rows have an id, can be staged, and can be doomed. */
export type Table = "organizations" | "users" | "projects" | "project_grants";

/** Joins a thing by its id: as `as` what is stored, as `new_` what is staged, as `doomed_` what is removed. */
export const joinAfter = (table: Table, as: string, id: string) => `
    left join ${table} ${as} on ${as}.id = ${id}
    left join staged_${table} new_${as} on new_${as}.id = ${id}
    left join doomed_${table} doomed_${as} on doomed_${as}.id = ${id}`;

export const isThere = (as: string) =>
  `(new_${as}.id is not null or (${as}.id is not null and doomed_${as}.id is null))`;

/** The value of a column of something joined in this way. */
export const afterwards = (as: string, column: string) =>
  `case when new_${as}.id is not null then new_${as}.${column} when doomed_${as}.id is null then ${as}.${column} end`;

/** Joins the grant of the project of `s` to the organization of `s`. */
export const joinGrantOfPlace = `
    left join project_grants g on g.project_id = s.project_id and g.organization_id = s.organization_id
    left join staged_project_grants new_g on new_g.project_id = s.project_id and new_g.organization_id = s.organization_id
    left join doomed_project_grants doomed_g on doomed_g.id = g.id`;

export const grantOfPlace = "coalesce(new_g.id, case when doomed_g.id is null then g.id end)";

/** Joins the role with the key of `k` of the project of `s`. */
export const joinRoleOfProject = `
    left join project_roles r on r.project_id = s.project_id and r.key = k.role_key
    left join staged_project_roles new_r on new_r.project_id = s.project_id and new_r.key = k.role_key
    left join doomed_projects doomed_r on doomed_r.id = r.project_id
    left join lost_roles lost_r on lost_r.project_id = r.project_id and lost_r.role_key = r.key`;

export const isRoleOfProject = `(new_r.key is not null
    or (r.key is not null and doomed_r.id is null and lost_r.role_key is null))`;

/** Joins everything that could remove the stored authorization `a`. */
export const joinDoomOfAuthorization = `
    left join staged_removals named_a on named_a.kind = 'authorization' and named_a.id = a.id
    left join doomed_users user_a on user_a.id = a.user_id
    left join doomed_projects project_a on project_a.id = a.owned_project_id
    left join doomed_project_grants grant_a on grant_a.id = a.granted_by`;

/** Whether an authorization joined in this way stays. */
export const isKeptAuthorization = "coalesce(named_a.id, user_a.id, project_a.id, grant_a.id) is null";

/** Whether a stored administrator entry is the one that a staged row names. An index finds it (migrations/0002_callers.sql). */
export const isEntry = (stored: string, staged: string) => `(${stored}.user_id = ${staged}.user_id
    and ${stored}.scope = case
      when ${staged}.organization_id is not null then '1' || ${staged}.organization_id
      when ${staged}.project_id is not null then '2' || ${staged}.project_id
      when ${staged}.project_grant_id is not null then '3' || ${staged}.project_grant_id
      else '0' end)`;

/** Selects the ids of the tokens of removed users, and of the tokens made with them, directly or not. */
export const tokensFromDoomedUsers = `
    with recursive tree (id) as (
      select t.id from doomed_users d join tokens t on t.user_id = d.id
      union
      select t.id from tree join tokens t on t.made_with = tree.id
    )
    select id from tree`;
