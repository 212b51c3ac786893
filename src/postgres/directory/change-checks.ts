import type { Reason } from "../../authorization/refusal.ts";
import type { StagingTable } from "./staging.ts";

/** A query that finds staged changes that can't be applied: their position, and a text that says what is wrong. */
export type Check = { readonly reason: Reason; readonly sql: string };

/** Finds things that are named twice, whether to add or to remove them. */
const duplicates = (table: StagingTable, kind: string, what: string, ...key: string[]): Check => ({
  reason: "DUPLICATE_CHANGE",
  sql: `
    select max(position) as position, ${what} || ' is named more than once' as what,
      jsonb_build_object('firstIndex', min(position)::text) as metadata
    from (
      select position, ${key} from ${table}
      union all
      select position, ${key} from staged_removals where kind = '${kind}') named
    group by ${key}
    having count(*) > 1`,
});

/** These run before anything is applied. */
export const duplicateChecks: readonly Check[] = [
  duplicates("staged_organizations", "organization", `'organization "' || id || '"'`, "id"),
  duplicates("staged_users", "user", `'user "' || id || '"'`, "id"),
  duplicates("staged_projects", "project", `'project "' || id || '"'`, "id"),
  duplicates(
    "staged_project_roles",
    "projectRole",
    `'role "' || key || '" of project "' || project_id || '"'`,
    "project_id",
    "key",
  ),
  duplicates("staged_project_grants", "projectGrant", `'project grant "' || id || '"'`, "id"),
  duplicates(
    "staged_administrators",
    "administrator",
    `'the administrator entry of user "' || user_id || '"'`,
    "user_id",
    "organization_id",
    "project_id",
    "project_grant_id",
  ),
  duplicates("staged_authorizations", "authorization", `'authorization "' || id || '"'`, "id"),
];

const missing = (table: string, column: string, target: string, what: string): Check => ({
  reason: "REFERENCE_NOT_FOUND",
  sql: `
    select s.position, '${what} "' || s.${column} || '" does not exist' as what
    from ${table} s left join ${target} t on t.id = s.${column}
    where s.${column} is not null and t.id is null`,
});

const immutable = (table: string, target: string, what: string, ...columns: string[]): Check => ({
  reason: "IMMUTABLE_FIELD",
  sql: `
    select s.position, '${what} "' || s.id || '" cannot be moved: ' || concat_ws(', ', ${columns
      .map((column) => `case when s.${column} <> t.${column} then '${jsonName(column)} is "' || t.${column} || '"' end`)
      .join(", ")}) as what
    from ${table} s join ${target} t on t.id = s.id
    where ${columns.map((column) => `s.${column} <> t.${column}`).join(" or ")}`,
});

/** The clients' name for a column. */
function jsonName(column: string): string {
  return column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** In the order of application: when the checks of a kind run, everything it refers to has been applied. */
export const checks = {
  users: [missing("staged_users", "organization_id", "organizations", "organization")],
  projects: [
    missing("staged_projects", "organization_id", "organizations", "organization"),
    immutable("staged_projects", "projects", "project", "organization_id"),
  ],
  projectRoles: [missing("staged_project_roles", "project_id", "projects", "project")],
  projectGrants: [
    missing("staged_project_grants", "project_id", "projects", "project"),
    missing("staged_project_grants", "organization_id", "organizations", "organization"),
    immutable("staged_project_grants", "project_grants", "project grant", "project_id", "organization_id"),
    {
      reason: "GRANT_TO_OWNER",
      sql: `
        select s.position, 'organization "' || s.organization_id || '" owns project "' || s.project_id || '"' as what
        from staged_project_grants s join projects p on p.id = s.project_id
        where p.organization_id = s.organization_id`,
    },
    {
      reason: "GRANT_EXISTS",
      sql: `
        select s.position, 'project "' || s.project_id || '" is granted to organization "' || s.organization_id
          || '" by "' || g.id || '" already' as what
        from staged_project_grants s join (
          select id, project_id, organization_id from project_grants
          union all
          select id, project_id, organization_id from staged_project_grants) g
        on g.project_id = s.project_id and g.organization_id = s.organization_id
        where g.id <> s.id`,
    },
    {
      reason: "ROLE_NOT_FOUND",
      sql: `
        select k.position, 'project "' || s.project_id || '" has no role "' || k.role_key || '"' as what
        from staged_project_grant_roles k
        join staged_project_grants s on s.id = k.project_grant_id
        left join project_roles r on r.project_id = s.project_id and r.key = k.role_key
        where r.key is null`,
    },
  ],
  administrators: [
    missing("staged_administrators", "user_id", "users", "user"),
    missing("staged_administrators", "organization_id", "organizations", "organization"),
    missing("staged_administrators", "project_id", "projects", "project"),
    missing("staged_administrators", "project_grant_id", "project_grants", "project grant"),
  ],
  authorizations: [
    missing("staged_authorizations", "user_id", "users", "user"),
    missing("staged_authorizations", "project_id", "projects", "project"),
    missing("staged_authorizations", "organization_id", "organizations", "organization"),
    immutable("staged_authorizations", "authorizations", "authorization", "user_id", "project_id", "organization_id"),
    {
      reason: "REFERENCE_NOT_FOUND",
      sql: `
        select s.position, 'project "' || s.project_id || '" is neither owned by nor granted to organization "'
          || s.organization_id || '"' as what
        from staged_authorizations s
        left join projects p on p.id = s.project_id and p.organization_id = s.organization_id
        left join project_grants g on g.project_id = s.project_id and g.organization_id = s.organization_id
        where p.id is null and g.id is null`,
    },
    {
      reason: "AUTHORIZATION_EXISTS",
      sql: `
        select s.position, 'user "' || s.user_id || '" has the authorization "' || a.id || '" for project "'
          || s.project_id || '" in organization "' || s.organization_id || '" already' as what,
          jsonb_build_object('id', a.id) as metadata
        from staged_authorizations s join (
          select id, user_id, project_id, organization_id from authorizations
          union all
          select id, user_id, project_id, organization_id from staged_authorizations) a
        on a.user_id = s.user_id and a.project_id = s.project_id and a.organization_id = s.organization_id
        where a.id <> s.id`,
    },
    {
      reason: "ROLE_NOT_FOUND",
      sql: `
        select k.position, 'the role "' || k.role_key || '" cannot be assigned for project "' || s.project_id
          || '" in organization "' || s.organization_id || '"' as what
        from staged_authorization_roles k
        join staged_authorizations s on s.id = k.authorization_id
        left join project_grants g on g.project_id = s.project_id and g.organization_id = s.organization_id
        left join project_roles r on g.id is null and r.project_id = s.project_id and r.key = k.role_key
        left join project_grant_roles m on m.project_grant_id = g.id and m.role_key = k.role_key
        where r.key is null and m.role_key is null`,
    },
  ],
} satisfies Record<string, readonly Check[]>;
