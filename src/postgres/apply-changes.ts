import type pg from "pg";
import { type Reason, Refusal } from "../authorization/refusal.ts";
import { type Check, checks } from "./change-checks.ts";
import { stagingTables } from "./staging.ts";

/**
 * Applies what is staged, in an order in which each kind finds what it points at: its checks first, then
 * its rows. Throws the refusal of the first check that finds something; the transaction is then to be undone.
 */
export async function applyStaged(client: pg.Client, progress: (message: string) => void): Promise<void> {
  for (const table of Object.keys(stagingTables)) await client.query(`analyze ${table}`);
  for (const kind of kinds) {
    for (const check of kind.checks) await requireNone(client, check);
    for (const statement of kind.statements) await client.query(statement);
    progress(`${kind.name} applied`);
  }
}

async function requireNone(client: pg.Client, check: Check): Promise<void> {
  const { rows } = await client.query<{ position: string; what: string; metadata?: Record<string, string> }>(
    `select * from (${check.sql}) found order by position limit 1`,
  );
  const found = rows[0];
  if (found === undefined) return;
  const reason: Reason = check.reason;
  throw new Refusal(reason, found.what, { position: found.position, ...found.metadata });
}

type Kind = { readonly name: string; readonly checks: readonly Check[]; readonly statements: readonly string[] };

const applyOrganizations = `
  insert into organizations (id, name)
  select id, name from staged_organizations
  on conflict (id) do update set name = excluded.name`;

const applyUsers = `
  insert into users (id, organization_id, preferred_login_name, display_name, avatar_url)
  select id, organization_id, preferred_login_name, display_name, avatar_url from staged_users
  on conflict (id) do update set
    organization_id = excluded.organization_id,
    preferred_login_name = excluded.preferred_login_name,
    display_name = excluded.display_name,
    avatar_url = excluded.avatar_url`;

const applyProjects = `
  insert into projects (id, organization_id, name)
  select id, organization_id, name from staged_projects
  on conflict (id) do update set name = excluded.name`;

const applyProjectRoles = `
  insert into project_roles (project_id, key, display_name, group_name)
  select project_id, key, display_name, group_name from staged_project_roles
  on conflict (project_id, key) do update set
    display_name = excluded.display_name,
    group_name = excluded.group_name`;

const applyProjectGrants = `
  insert into project_grants (id, project_id, organization_id, owner_id)
  select s.id, s.project_id, s.organization_id, p.organization_id
  from staged_project_grants s join projects p on p.id = s.project_id
  on conflict (id) do nothing`;

const dropGrantKeys = `
  delete from project_grant_roles r
  using staged_project_grants s
  where r.project_grant_id = s.id and not exists (
    select from staged_project_grant_roles k where k.project_grant_id = s.id and k.role_key = r.role_key)`;

const addGrantKeys = `
  insert into project_grant_roles (project_grant_id, project_id, role_key)
  select s.id, s.project_id, k.role_key
  from staged_project_grants s join staged_project_grant_roles k on k.project_grant_id = s.id
  on conflict do nothing`;

const dropAdministrators = `
  delete from administrators a
  using staged_administrators s
  where cardinality(s.roles) = 0 and a.user_id = s.user_id
    and a.organization_id is not distinct from s.organization_id
    and a.project_id is not distinct from s.project_id
    and a.project_grant_id is not distinct from s.project_grant_id`;

const applyAdministrators = `
  insert into administrators (user_id, organization_id, project_id, project_grant_id, roles)
  select user_id, organization_id, project_id, project_grant_id, roles
  from staged_administrators
  where cardinality(roles) > 0
  on conflict (user_id, organization_id, project_id, project_grant_id) do update set roles = excluded.roles`;

/** Keeps others from changing the authorizations between the comparison and the change. */
const lockAuthorizations = `
  select count(*) from (
    select from authorizations a
    where a.id in (select id from staged_authorizations)
    order by a.id
    for update) locked`;

/**
 * What becomes of each staged authorization, and the event that says so; no event when nothing changes.
 * A given change date counts when it is later than the one that is stored, otherwise a change is of now.
 */
const resolveAuthorizations = `
  create temporary table resolved_authorizations on commit drop as
  select
    s.position, s.id, s.user_id, s.project_id, s.organization_id, coalesce(g.id, '') as project_grant_id,
    coalesce(s.state, a.state, 'active') as state,
    coalesce(s.creation_date, a.creation_date, statement_timestamp()) as creation_date,
    case
      when a.id is null then coalesce(s.change_date, statement_timestamp())
      when s.change_date > a.change_date then s.change_date
      else greatest(statement_timestamp(), a.change_date + interval '1 microsecond')
    end as change_date,
    coalesce(k.role_keys, '{}') as role_keys,
    case
      when a.id is null then 'user.grant.added'
      when k.role_keys is distinct from h.role_keys
        or s.creation_date <> a.creation_date or s.change_date > a.change_date then 'user.grant.changed'
      when s.state <> a.state then case s.state
        when 'active' then 'user.grant.reactivated' else 'user.grant.deactivated' end
    end as event
  from staged_authorizations s
  left join authorizations a on a.id = s.id
  left join project_grants g on g.project_id = s.project_id and g.organization_id = s.organization_id
  left join (
    select authorization_id, array_agg(role_key order by role_key) as role_keys
    from staged_authorization_roles
    group by authorization_id) k on k.authorization_id = s.id
  left join (
    select authorization_id, array_agg(role_key::text order by role_key) as role_keys
    from authorization_roles
    where authorization_id in (select id from staged_authorizations)
    group by authorization_id) h on h.authorization_id = s.id`;

const addAuthorizations = `
  insert into authorizations (
    id, user_id, project_id, organization_id, project_grant_id, state, creation_date, change_date)
  select id, user_id, project_id, organization_id, project_grant_id, state, creation_date, change_date
  from resolved_authorizations
  where event = 'user.grant.added'`;

const changeAuthorizations = `
  update authorizations a
  set state = r.state, creation_date = r.creation_date, change_date = r.change_date
  from resolved_authorizations r
  where r.event <> 'user.grant.added' and a.id = r.id`;

const dropRoles = `
  delete from authorization_roles h
  using resolved_authorizations r
  where r.event = 'user.grant.changed' and h.authorization_id = r.id and h.role_key <> all (r.role_keys)`;

const addRoles = `
  insert into authorization_roles (authorization_id, project_id, project_grant_id, role_key)
  select r.id, r.project_id, r.project_grant_id, k.role_key
  from resolved_authorizations r join staged_authorization_roles k on k.authorization_id = r.id
  where r.event in ('user.grant.added', 'user.grant.changed')
  on conflict do nothing`;

const appendEvents = `
  insert into events (
    authorization_id, type, time, actor_id, user_id, project_id, organization_id, project_grant_id, role_keys, state)
  select id, event, change_date, null, user_id, project_id, organization_id, project_grant_id, role_keys, state
  from resolved_authorizations
  where event is not null
  order by position`;

const kinds: readonly Kind[] = [
  { name: "organizations", checks: checks.organizations, statements: [applyOrganizations] },
  { name: "users", checks: checks.users, statements: [applyUsers] },
  { name: "projects", checks: checks.projects, statements: [applyProjects] },
  { name: "project roles", checks: checks.projectRoles, statements: [applyProjectRoles] },
  {
    name: "project grants",
    checks: checks.projectGrants,
    statements: [applyProjectGrants, dropGrantKeys, addGrantKeys],
  },
  { name: "administrators", checks: checks.administrators, statements: [dropAdministrators, applyAdministrators] },
  {
    name: "authorizations",
    checks: checks.authorizations,
    statements: [
      lockAuthorizations,
      resolveAuthorizations,
      addAuthorizations,
      changeAuthorizations,
      dropRoles,
      addRoles,
      appendEvents,
    ],
  },
];
