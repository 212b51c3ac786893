import type { Reason } from "../../authorization/refusal.ts";
import { isSameCombination } from "../pool/same-combination.ts";
import {
  afterwards,
  grantOfPlace,
  isKeptAuthorization,
  isRoleOfProject,
  isThere,
  joinAfter,
  joinDoomOfAuthorization,
  joinGrantOfPlace,
  joinRoleOfProject,
  type Table,
} from "./after.ts";
import type { StagingTable } from "./staging.ts";

/** A query that finds staged changes that can't be applied: their position, and a text that says what is wrong. */
export type Check = { readonly reason: Reason; readonly sql: string };

/** Finds things that are named twice, whether to add or to remove them. */
const duplicates = (table: StagingTable, kind: string, what: string, ...key: string[]) => ({
  table,
  check: {
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
  } satisfies Check,
});

/** Each of them concerns its table and the removals. */
export const duplicateChecks = [
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

const missing = (table: StagingTable, column: string, target: Table, what: string): Check => ({
  reason: "REFERENCE_NOT_FOUND",
  sql: `
    select s.position, '${what} "' || s.${column} || '" does not exist' as what
    from ${table} s ${joinAfter(target, "t", `s.${column}`)}
    where s.${column} is not null and not ${isThere("t")}`,
});

/** @param stored joins what is stored as `a`, with what would remove it */
const immutable = (table: StagingTable, stored: string, isKept: string, what: string, ...columns: string[]): Check => ({
  reason: "IMMUTABLE_FIELD",
  sql: `
    select s.position, '${what} "' || s.id || '" cannot be moved: ' || concat_ws(', ', ${columns
      .map((column) => `case when s.${column} <> a.${column} then '${jsonName(column)} is "' || a.${column} || '"' end`)
      .join(", ")}) as what
    from ${table} s ${stored}
    where ${isKept} and (${columns.map((column) => `s.${column} <> a.${column}`).join(" or ")})`,
});

/** The clients' name for a column. */
function jsonName(column: string): string {
  return column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** Runs once more when assignments are put in place, because others may have been created in the meantime. */
export const authorizationExists: Check = {
  reason: "AUTHORIZATION_EXISTS",
  sql: `
    select s.position, 'user "' || s.user_id || '" has the authorization "' || twin.id || '" for project "'
      || s.project_id || '" in organization "' || s.organization_id || '" already' as what,
      jsonb_build_object('id', twin.id) as metadata
    from staged_authorizations s
    left join staged_authorizations n on n.user_id = s.user_id and n.project_id = s.project_id
      and n.organization_id = s.organization_id and n.id <> s.id
    left join authorizations a on ${isSameCombination("a", "s")} and a.id <> s.id
    ${joinDoomOfAuthorization}
    cross join lateral (select coalesce(case when ${isKeptAuthorization} then a.id end, n.id) as id) twin
    where twin.id is not null`,
};

/**
 * Whether what will be there fits together. They only read, so requests that they refuse wait for no one. They need the
 * doomed things, and the checks before them to have found nothing.
 */
export const checks = {
  staged_organizations: [],
  staged_users: [missing("staged_users", "organization_id", "organizations", "organization")],
  staged_projects: [
    missing("staged_projects", "organization_id", "organizations", "organization"),
    immutable(
      "staged_projects",
      "join projects a on a.id = s.id left join doomed_projects d on d.id = a.id",
      "d.id is null",
      "project",
      "organization_id",
    ),
  ],
  staged_project_roles: [missing("staged_project_roles", "project_id", "projects", "project")],
  staged_project_grants: [
    missing("staged_project_grants", "project_id", "projects", "project"),
    missing("staged_project_grants", "organization_id", "organizations", "organization"),
    immutable(
      "staged_project_grants",
      "join project_grants a on a.id = s.id left join doomed_project_grants d on d.id = a.id",
      "d.id is null",
      "project grant",
      "project_id",
      "organization_id",
    ),
    {
      reason: "GRANT_TO_OWNER",
      sql: `
        select s.position, 'organization "' || s.organization_id || '" owns project "' || s.project_id || '"' as what
        from staged_project_grants s ${joinAfter("projects", "p", "s.project_id")}
        where ${afterwards("p", "organization_id")} = s.organization_id`,
    },
    {
      reason: "GRANT_EXISTS",
      sql: `
        select s.position, 'project "' || s.project_id || '" is granted to organization "' || s.organization_id
          || '" by "' || coalesce(n.id, g.id) || '" already' as what
        from staged_project_grants s
        left join staged_project_grants n
          on n.project_id = s.project_id and n.organization_id = s.organization_id and n.id <> s.id
        left join project_grants g
          on g.project_id = s.project_id and g.organization_id = s.organization_id and g.id <> s.id
        left join doomed_project_grants d on d.id = g.id
        where n.id is not null or (g.id is not null and d.id is null)`,
    },
    {
      reason: "ROLE_NOT_FOUND",
      sql: `
        select k.position, 'project "' || s.project_id || '" has no role "' || k.role_key || '"' as what
        from staged_project_grant_roles k
        join staged_project_grants s on s.id = k.project_grant_id ${joinRoleOfProject}
        where not ${isRoleOfProject}`,
    },
  ],
  staged_administrators: [
    missing("staged_administrators", "user_id", "users", "user"),
    missing("staged_administrators", "organization_id", "organizations", "organization"),
    missing("staged_administrators", "project_id", "projects", "project"),
    missing("staged_administrators", "project_grant_id", "project_grants", "project grant"),
  ],
  staged_authorizations: [
    missing("staged_authorizations", "user_id", "users", "user"),
    missing("staged_authorizations", "project_id", "projects", "project"),
    missing("staged_authorizations", "organization_id", "organizations", "organization"),
    immutable(
      "staged_authorizations",
      `join authorizations a on a.id = s.id ${joinDoomOfAuthorization}`,
      isKeptAuthorization,
      "authorization",
      "user_id",
      "project_id",
      "organization_id",
    ),
    {
      reason: "REFERENCE_NOT_FOUND",
      sql: `
        select s.position, 'project "' || s.project_id || '" is neither owned by nor granted to organization "'
          || s.organization_id || '"' as what
        from staged_authorizations s ${joinAfter("projects", "p", "s.project_id")} ${joinGrantOfPlace}
        where ${afterwards("p", "organization_id")} <> s.organization_id and ${grantOfPlace} is null`,
    },
    authorizationExists,
    {
      reason: "ROLE_NOT_FOUND",
      sql: `
        select k.position, 'the role "' || k.role_key || '" cannot be assigned for project "' || s.project_id
          || '" in organization "' || s.organization_id || '"' as what
        from staged_authorization_roles k
        join staged_authorizations s on s.id = k.authorization_id
        ${joinGrantOfPlace} ${joinRoleOfProject}
        left join staged_project_grant_roles new_m on new_m.project_grant_id = new_g.id and new_m.role_key = k.role_key
        left join project_grant_roles m on m.project_grant_id = g.id and m.role_key = k.role_key
        where not case
          when new_g.id is not null then new_m.role_key is not null
          when g.id is not null and doomed_g.id is null then m.role_key is not null and lost_r.role_key is null
          else ${isRoleOfProject} end`,
    },
  ],
} satisfies Partial<Record<StagingTable, readonly Check[]>>;
