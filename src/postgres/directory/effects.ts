import { imageOfToken } from "../token/token-events.ts";
import { afterwards, isEntry, joinAfter } from "./after.ts";
import * as image from "./images.ts";
import type { StagingTable } from "./staging.ts";

/** The id of an entry's scope, after the kind of scope and a colon. */
const scopeOf = (a: string) => `case
      when ${a}.organization_id is not null then 'organization:' || ${a}.organization_id
      when ${a}.project_id is not null then 'project:' || ${a}.project_id
      when ${a}.project_grant_id is not null then 'projectGrant:' || ${a}.project_grant_id
      else 'instance:' end`;

/** The keys of a stored grant. */
const keysOf = (g: string, condition = "true") => `array(
      select k.role_key::text from project_grant_roles k where k.project_grant_id = ${g}.id and ${condition}
      order by k.role_key)`;

/** Joins the removal that names a thing. */
const joinNamed = (kind: string, condition: string) =>
  `left join staged_removals r on r.kind = '${kind}' and ${condition}`;

/** Everything that is removed, by name or because of another removal. */
const removed = `
  select 'organization', o.id, '', r.position, null, o.id, null, null, null, ${image.organizationImage("o")}, null::jsonb
  from doomed_organizations d join organizations o on o.id = d.id ${joinNamed("organization", "r.id = o.id")}
  union all
  select 'user', u.id, '', r.position, u.id, u.organization_id, null, null, null, ${image.userImage("u")}, null
  from doomed_users d join users u on u.id = d.id ${joinNamed("user", "r.id = u.id")}
  union all
  select 'token', t.id, '', null, t.user_id, null, null, null, null, ${imageOfToken}, null
  from doomed_tokens d join tokens t on t.id = d.id
  union all
  select 'project', p.id, '', r.position, null, p.organization_id, null, p.id, null, ${image.projectImage("p")}, null
  from doomed_projects d join projects p on p.id = d.id ${joinNamed("project", "r.id = p.id")}
  union all
  select 'projectRole', k.key, k.project_id, r.position, null, p.organization_id, null, p.id, null,
    ${image.projectRoleImage("k")}, null
  from (
    select k.* from doomed_projects d join project_roles k on k.project_id = d.id
    union all
    select k.* from lost_roles l join project_roles k on k.project_id = l.project_id and k.key = l.role_key) k
  join projects p on p.id = k.project_id ${joinNamed("projectRole", "r.project_id = k.project_id and r.key = k.key")}
  union all
  select 'projectGrant', g.id, '', r.position, null, g.organization_id, g.owner_id, g.project_id, g.id,
    ${image.projectGrantImage("g", keysOf("g"))}, null
  from doomed_project_grants d join project_grants g on g.id = d.id ${joinNamed("projectGrant", "r.id = g.id")}
  union all
  select 'administrator', a.user_id, ${scopeOf("a")}, r.position, a.user_id,
    coalesce(a.organization_id, p.organization_id, g.organization_id), null, a.project_id, a.project_grant_id,
    ${image.administratorImage("a")}, null
  from (
    select a.* from doomed_users d join administrators a on a.user_id = d.id
    union
    select a.* from doomed_organizations d join administrators a on a.organization_id = d.id
    union
    select a.* from doomed_projects d join administrators a on a.project_id = d.id
    union
    select a.* from doomed_project_grants d join administrators a on a.project_grant_id = d.id
    union
    select a.* from staged_removals r join administrators a on r.kind = 'administrator' and ${isEntry("a", "r")}) a
  left join projects p on p.id = a.project_id
  left join project_grants g on g.id = a.project_grant_id
  ${joinNamed("administrator", isEntry("a", "r"))}`;

/** Grants that lose a key together with its role, unless a change gives the grant as a whole. */
const lessenedGrants = `
  select 'projectGrant', g.id, '', null, null, g.organization_id, g.owner_id, g.project_id, g.id,
    ${image.projectGrantImage("g", keysOf("g"))},
    ${image.projectGrantImage(
      "g",
      keysOf(
        "g",
        "not exists (select from lost_roles l where l.project_id = g.project_id and l.role_key = k.role_key)",
      ),
    )}
  from (
    select distinct k.project_grant_id as id
    from lost_roles l join project_grant_roles k on k.project_id = l.project_id and k.role_key = l.role_key) lessened
  join project_grants g on g.id = lessened.id
  left join doomed_project_grants d on d.id = g.id
  left join staged_project_grants s on s.id = g.id
  where d.id is null and s.id is null`;

/** The image before, of a thing that is stored as `stored` and not doomed; otherwise null. */
const beforeUnless = (doomed: string, stored: string, before: string) =>
  `case when ${stored} is not null and ${doomed} is null then ${before} end`;

const organizations = `
  select 'organization', s.id, '', s.position, null, s.id, null, null, null,
    ${beforeUnless("d.id", "o.id", image.organizationImage("o"))}, ${image.organizationImage("s")}
  from staged_organizations s
  left join organizations o on o.id = s.id
  left join doomed_organizations d on d.id = s.id`;

const users = `
  select 'user', s.id, '', s.position, s.id, s.organization_id,
    case when d.id is null then nullif(u.organization_id, s.organization_id) end, null, null,
    ${beforeUnless("d.id", "u.id", image.userImage("u"))}, ${image.userImage("s")}
  from staged_users s
  left join users u on u.id = s.id
  left join doomed_users d on d.id = s.id`;

const projects = `
  select 'project', s.id, '', s.position, null, s.organization_id, null, s.id, null,
    ${beforeUnless("d.id", "p.id", image.projectImage("p"))}, ${image.projectImage("s")}
  from staged_projects s
  left join projects p on p.id = s.id
  left join doomed_projects d on d.id = s.id`;

const projectRoles = `
  select 'projectRole', s.key, s.project_id, s.position, null, ${afterwards("p", "organization_id")}, null, s.project_id, null,
    ${beforeUnless("doomed_p.id", "k.key", image.projectRoleImage("k"))}, ${image.projectRoleImage("s")}
  from staged_project_roles s ${joinAfter("projects", "p", "s.project_id")}
  left join project_roles k on k.project_id = s.project_id and k.key = s.key`;

const projectGrants = `
  select 'projectGrant', s.id, '', s.position, null, s.organization_id, ${afterwards("p", "organization_id")}, s.project_id,
    s.id, ${beforeUnless("d.id", "g.id", image.projectGrantImage("g", keysOf("g")))},
    ${image.projectGrantImage("s", "coalesce(k.role_keys, '{}')")}
  from staged_project_grants s ${joinAfter("projects", "p", "s.project_id")}
  left join project_grants g on g.id = s.id
  left join doomed_project_grants d on d.id = s.id
  left join (
    select project_grant_id, array_agg(role_key order by role_key) as role_keys
    from staged_project_grant_roles
    group by project_grant_id) k on k.project_grant_id = s.id`;

/** An entry without roles is removed. */
const administrators = `
  select 'administrator', s.user_id, ${scopeOf("s")}, s.position, s.user_id,
    coalesce(s.organization_id, ${afterwards("p", "organization_id")}, ${afterwards("g", "organization_id")}), null,
    s.project_id, s.project_grant_id,
    ${beforeUnless("coalesce(u.id, o.id, doomed_p.id, doomed_g.id)", "a.user_id", image.administratorImage("a"))},
    case when cardinality(s.roles) > 0 then ${image.administratorImage("s")} end
  from staged_administrators s
  ${joinAfter("projects", "p", "s.project_id")} ${joinAfter("project_grants", "g", "s.project_grant_id")}
  left join doomed_users u on u.id = s.user_id
  left join doomed_organizations o on o.id = s.organization_id
  left join administrators a on ${isEntry("a", "s")}`;

/** The columns of an effect, in the order in which they are selected. */
export const columnsOfEffect =
  "kind, id, within, position, user_id, organization_id, other_organization_id, project_id, project_grant_id, before, after";

const ofTables = new Map<StagingTable, string>([
  ["staged_removals", removed],
  ["staged_organizations", organizations],
  ["staged_users", users],
  ["staged_projects", projects],
  ["staged_project_roles", projectRoles],
  ["staged_project_grants", projectGrants],
  ["staged_administrators", administrators],
]);

/** Selects the effects on everything that the staged changes name, and on some that follow, for each of these tables. */
export function selectEffects(tables: ReadonlySet<StagingTable>): string[] {
  return [...ofTables].flatMap(([table, effects]) => (tables.has(table) ? [effects] : []));
}

/**
 * Finds what the staged changes do to the directory, for everything they name and everything that follows: its image
 * before and after, and where it is. Only reads what is stored. A thing that is removed and added again has an effect
 * for each.
 */
export function findEffects(tables: ReadonlySet<StagingTable>): string[] {
  const follow = tables.has("staged_removals") ? [lessenedGrants] : [];
  return [...selectEffects(tables), ...follow].map((effects) => `insert into effects (${columnsOfEffect}) ${effects}`);
}
