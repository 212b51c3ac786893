import { isSame, type ResourceKind, resourceOf } from "../stage/resources.ts";

/** Adds resources of a kind, or replaces these columns, in the order in which all lock rows. */
function put(kind: ResourceKind, ...replaced: string[]): string {
  const { table, key, fields } = resourceOf(kind);
  const columns = Object.values(fields).join(", ");
  return `
  insert into ${table} (${columns}) select ${columns} from staged_${table} order by ${key.map((column) => `${column} collate "C"`).join(", ")}
  on conflict (${key.join(", ")}) do update set ${replaced.map((column) => `${column} = excluded.${column}`).join(", ")}`;
}

/** A role keeps its description if the change has none. */
const putRoles = `
  insert into project_roles (project_id, key, display_name, group_name, description)
  select s.project_id, s.key, s.display_name, s.group_name, coalesce(s.description, r.description, '')
  from staged_project_roles s left join project_roles r on ${isSame("projectRole", "r", "s")}
  on conflict (project_id, key) do update set
    display_name = excluded.display_name, group_name = excluded.group_name, description = excluded.description`;

const moveUsers = `
  update users u
  set organization_id = s.organization_id
  from staged_users s
  where u.id = s.id and u.organization_id <> s.organization_id`;

const addProjectGrants = `
  insert into project_grants (id, project_id, organization_id, owner_id)
  select s.id, s.project_id, s.organization_id, p.organization_id
  from staged_project_grants s join projects p on p.id = s.project_id
  on conflict (id) do nothing`;

const dropGrantKeys = `
  delete from project_grant_roles r
  using staged_project_grants s
  where r.project_grant_id = s.id and r.role_key <> all (s.role_keys)`;

const addGrantKeys = `
  insert into project_grant_roles (project_grant_id, project_id, role_key)
  select id, project_id, unnest(role_keys) from staged_project_grants
  on conflict do nothing`;

const dropAdministrators = `
  delete from administrators a
  using staged_administrators s
  where cardinality(s.roles) = 0 and ${isSame("administrator", "a", "s")}`;

const putAdministrators = `
  insert into administrators (user_id, organization_id, project_id, project_grant_id, roles)
  select user_id, organization_id, project_id, project_grant_id, roles
  from staged_administrators
  where cardinality(roles) > 0
  on conflict (user_id, organization_id, project_id, project_grant_id) do update set roles = excluded.roles`;

/**
 * Leaves out those whose twin was created after they were checked. Waits for one that is being created, so it works in the
 * order of the combinations, as changes of assignments do (src/postgres/change/authorization-statements.ts).
 */
const addAuthorizations = `
  insert into authorizations (
    id, user_id, user_organization_id, user_name, project_id, organization_id, project_grant_id, state, creation_date,
    change_date, expiration_date, expired)
  select
    r.id, r.user_id, u.organization_id, fold_case(u.display_name), r.project_id, r.organization_id, r.project_grant_id,
    r.state, r.creation_date, r.change_date, r.expiration_date, r.expired
  from resolved_authorizations r join users u on u.id = r.user_id
  where r.event = 'user.grant.added'
  order by r.user_id collate "C", r.project_id collate "C", r.organization_id collate "C"
  on conflict (user_id, project_id, organization_id) do nothing`;

const changeAuthorizations = `
  update authorizations a
  set state = r.state, creation_date = r.creation_date, change_date = r.change_date,
    expiration_date = r.expiration_date, expired = r.expired
  from resolved_authorizations r
  where r.event <> 'user.grant.added' and a.id = r.id`;

/** Keeps the order of change dates. Removals have kept theirs. */
const keepChangeDates = `
  insert into authorization_change_dates (id, organization_id, project_id, change_date)
  select a.id, a.organization_id, a.project_id, a.change_date
  from resolved_authorizations r join authorizations a on a.id = r.id
  where r.event is not null
  order by r.position
  on conflict (id) do update set
    organization_id = excluded.organization_id, project_id = excluded.project_id, change_date = excluded.change_date`;

const dropRoles = `
  delete from authorization_roles h
  using resolved_authorizations r
  where r.event = 'user.grant.changed' and h.authorization_id = r.id and h.role_key <> all (r.role_keys)`;

const addRoles = `
  insert into authorization_roles (authorization_id, project_id, project_grant_id, role_key)
  select r.id, r.project_id, r.project_grant_id, k.role_key
  from resolved_authorizations r
  join authorizations a on a.id = r.id
  cross join lateral unnest(r.role_keys) as k (role_key)
  where r.event in ('user.grant.added', 'user.grant.changed')
  on conflict do nothing`;

/**
 * The statements that put resources of each kind in place. For users, they set all columns except the organization, which is
 * part of a key. Postgres chooses the lock by the columns that are set, whether or not they change, and with a stronger lock no
 * one could assign roles to an unchanged user in the meantime.
 */
export const putInPlace: Readonly<Record<ResourceKind, readonly string[]>> = {
  organization: [put("organization", "name")],
  user: [put("user", "preferred_login_name", "display_name", "avatar_url"), moveUsers],
  project: [put("project", "name")],
  projectRole: [putRoles],
  projectGrant: [addProjectGrants, dropGrantKeys, addGrantKeys],
  administrator: [dropAdministrators, putAdministrators],
  authorization: [addAuthorizations, changeAuthorizations, keepChangeDates, dropRoles, addRoles],
};
