import { isSame, type ResourceKind } from "./resources.ts";

const named = (kind: string) => `select id from staged_removals where kind = '${kind}'`;

/** Selects the ids of the tokens of removed users, and of the tokens made with them, directly or not. */
export const tokensFromDoomedUsers = `
    with recursive tree (id) as (
      select t.id from doomed_users d join tokens t on t.user_id = d.id
      union
      select t.id from tree join tokens t on t.made_with = tree.id
    )
    select id from tree`;

/** Find everything that is removed, by name or together with what it belongs to (docs/reference/directory.md). */
export const selectDoomed = {
  doomed_organizations: `select id from organizations where id in (${named("organization")})`,
  doomed_users: `
    select id, organization_id from users where id in (${named("user")})
    union
    select id, organization_id from users where organization_id in (select id from doomed_organizations)`,
  doomed_projects: `
    select id, organization_id from projects where id in (${named("project")})
    union
    select id, organization_id from projects where organization_id in (select id from doomed_organizations)`,
  doomed_project_grants: `
    select id, project_id, organization_id, owner_id from project_grants where id in (${named("projectGrant")})
    union
    select id, project_id, organization_id, owner_id
    from project_grants where project_id in (select id from doomed_projects)
    union
    select id, project_id, organization_id, owner_id
    from project_grants where organization_id in (select id from doomed_organizations)`,
  /** Removed by name, from projects that stay. */
  lost_roles: `
    select x.project_id, x.key as role_key
    from project_roles x join staged_removals r on r.kind = 'projectRole' and ${isSame("projectRole", "x", "r")}
    where x.project_id not in (select id from doomed_projects)`,
  doomed_project_roles: `
    select project_id, role_key as key from lost_roles
    union all
    select k.project_id, k.key from doomed_projects d join project_roles k on k.project_id = d.id`,
  doomed_administrators: `
    select a.user_id, a.scope from doomed_users d join administrators a on a.user_id = d.id
    union
    select a.user_id, a.scope from doomed_organizations d join administrators a on a.organization_id = d.id
    union
    select a.user_id, a.scope from doomed_projects d join administrators a on a.project_id = d.id
    union
    select a.user_id, a.scope from doomed_project_grants d join administrators a on a.project_grant_id = d.id
    union
    select a.user_id, a.scope
    from staged_removals r join administrators a on r.kind = 'administrator' and ${isSame("administrator", "a", "r")}`,
  /**
   * Those of removed users and those made with them, except for tokens of other users that the caller may not remove
   * (docs/reference/tokens.md).
   */
  doomed_tokens: `
    select t.id
    from (${tokensFromDoomedUsers}) tree join tokens t on t.id = tree.id join users u on u.id = t.user_id
    cross join removable r
    where r.is_everywhere or u.organization_id = any(r.organization_ids) or u.id in (select id from doomed_users)`,
  /** Assignments that are removed by name, or with their user, their project or the grant they depend on. */
  doomed_authorizations: `
    select id, bool_or(is_named) as is_named
    from (
      select a.id, true as is_named
      from staged_removals s join authorizations a on s.kind = 'authorization' and a.id = s.id
      union all
      select a.id, false from doomed_users d join authorizations a on a.user_id = d.id
      union all
      select a.id, false from doomed_projects d join authorizations a on a.owned_project_id = d.id
      union all
      select a.id, false from doomed_project_grants d join authorizations a on a.granted_by = d.id) found
    group by id`,
} as const;

/** The kinds of resources whose removal dooms something of each. */
export const doomedWith: Readonly<Record<keyof typeof selectDoomed, readonly ResourceKind[]>> = {
  doomed_organizations: ["organization"],
  doomed_users: ["user", "organization"],
  doomed_projects: ["project", "organization"],
  doomed_project_grants: ["projectGrant", "project", "organization"],
  lost_roles: ["projectRole"],
  doomed_project_roles: ["projectRole", "project", "organization"],
  doomed_administrators: ["administrator", "user", "organization", "project", "projectGrant"],
  doomed_tokens: ["user", "organization"],
  doomed_authorizations: ["authorization", "user", "project", "projectGrant", "organization"],
};

/** Assignments that stay, and the roles they lose, because those are removed, or their grant is replaced without them. */
export const selectShrunk = `
  select lost.id, lost.role_key
  from (
    select h.authorization_id as id, h.role_key
    from lost_roles l join authorization_roles h on h.project_id = l.project_id and h.role_key = l.role_key
    union
    select h.authorization_id, h.role_key
    from staged_project_grants s
    join authorization_roles h on h.granted_by = s.id
    left join staged_project_grant_roles k on k.project_grant_id = s.id and k.role_key = h.role_key
    where k.role_key is null) lost
  left join doomed_authorizations d on d.id = lost.id
  where d.id is null`;
