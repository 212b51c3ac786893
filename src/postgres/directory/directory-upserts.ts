import { isEntry } from "./after.ts";

/** Upserts: things are added, or replaced as a whole. */

export const applyOrganizations = `
  insert into organizations (id, name)
  select id, name from staged_organizations
  on conflict (id) do update set name = excluded.name`;

/**
 * Sets all columns except the organization, which is part of a key. Postgres chooses the lock by the columns that are
 * set, whether or not they change, and with a stronger lock no one could assign roles to an unchanged user in the
 * meantime.
 */
export const applyUsers = `
  insert into users (id, organization_id, preferred_login_name, display_name, avatar_url)
  select id, organization_id, preferred_login_name, display_name, avatar_url
  from staged_users
  on conflict (id) do update set
    preferred_login_name = excluded.preferred_login_name,
    display_name = excluded.display_name,
    avatar_url = excluded.avatar_url`;

export const moveUsers = `
  update users u
  set organization_id = s.organization_id
  from staged_users s
  where u.id = s.id and u.organization_id <> s.organization_id`;

export const applyProjects = `
  insert into projects (id, organization_id, name)
  select id, organization_id, name from staged_projects
  on conflict (id) do update set name = excluded.name`;

export const applyProjectRoles = `
  insert into project_roles (project_id, key, display_name, group_name)
  select project_id, key, display_name, group_name from staged_project_roles
  on conflict (project_id, key) do update set
    display_name = excluded.display_name,
    group_name = excluded.group_name`;

export const applyProjectGrants = `
  insert into project_grants (id, project_id, organization_id, owner_id)
  select s.id, s.project_id, s.organization_id, p.organization_id
  from staged_project_grants s join projects p on p.id = s.project_id
  on conflict (id) do nothing`;

export const dropGrantKeys = `
  delete from project_grant_roles r
  using staged_project_grants s
  where r.project_grant_id = s.id and not exists (
    select from staged_project_grant_roles k where k.project_grant_id = s.id and k.role_key = r.role_key)`;

export const addGrantKeys = `
  insert into project_grant_roles (project_grant_id, project_id, role_key)
  select s.id, s.project_id, k.role_key
  from staged_project_grants s join staged_project_grant_roles k on k.project_grant_id = s.id
  on conflict do nothing`;

export const dropAdministrators = `
  delete from administrators a
  using staged_administrators s
  where cardinality(s.roles) = 0 and ${isEntry("a", "s")}`;

export const applyAdministrators = `
  insert into administrators (user_id, organization_id, project_id, project_grant_id, roles)
  select user_id, organization_id, project_id, project_grant_id, roles
  from staged_administrators
  where cardinality(roles) > 0
  on conflict (user_id, organization_id, project_id, project_grant_id) do update set roles = excluded.roles`;
