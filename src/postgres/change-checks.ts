import type { Reason } from "../authorization/refusal.ts";

/** A query for staged changes that cannot be applied: their position, and what is wrong in words. */
export type Check = { readonly reason: Reason; readonly sql: string };

const duplicates = (table: string, what: string, ...key: string[]): Check => ({
  reason: "DUPLICATE_CHANGE",
  sql: `
    select max(position) as position, ${what} || ' is named more than once' as what,
      jsonb_build_object('first', min(position)::text, 'second', max(position)::text) as metadata
    from ${table}
    group by ${key.join(", ")}
    having count(*) > 1`,
});

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
      .map((column) => `case when s.${column} <> t.${column} then '${column} was "' || t.${column} || '"' end`)
      .join(", ")}) as what
    from ${table} s join ${target} t on t.id = s.id
    where ${columns.map((column) => `s.${column} <> t.${column}`).join(" or ")}`,
});

/** In the order of application: when the checks of a kind run, all it points at has been applied. */
export const checks = {
  organizations: [duplicates("staged_organizations", `'organization "' || id || '"'`, "id")],
  users: [
    duplicates("staged_users", `'user "' || id || '"'`, "id"),
    missing("staged_users", "organization_id", "organizations", "organization"),
  ],
  projects: [
    duplicates("staged_projects", `'project "' || id || '"'`, "id"),
    missing("staged_projects", "organization_id", "organizations", "organization"),
    immutable("staged_projects", "projects", "project", "organization_id"),
  ],
  projectRoles: [
    duplicates("staged_project_roles", `'role "' || key || '" of project "' || project_id || '"'`, "project_id", "key"),
    missing("staged_project_roles", "project_id", "projects", "project"),
  ],
  projectGrants: [
    duplicates("staged_project_grants", `'project grant "' || id || '"'`, "id"),
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
    {
      reason: "ROLE_IN_USE",
      sql: `
        select s.position, 'project grant "' || s.id || '" cannot lose the role "' || h.role_key
          || '": authorizations hold it, and this release does not take it from them' as what
        from staged_project_grants s join authorization_roles h on h.granted_by = s.id
        where not exists (
          select from staged_project_grant_roles k where k.project_grant_id = s.id and k.role_key = h.role_key)`,
    },
  ],
  administrators: [
    duplicates(
      "staged_administrators",
      `'the administrator entry of user "' || user_id || '"'`,
      "user_id",
      "organization_id",
      "project_id",
      "project_grant_id",
    ),
    missing("staged_administrators", "user_id", "users", "user"),
    missing("staged_administrators", "organization_id", "organizations", "organization"),
    missing("staged_administrators", "project_id", "projects", "project"),
    missing("staged_administrators", "project_grant_id", "project_grants", "project grant"),
  ],
  authorizations: [
    duplicates("staged_authorizations", `'authorization "' || id || '"'`, "id"),
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
