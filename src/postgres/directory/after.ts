import { isSame, type ResourceKind, resourceOf } from "./resources.ts";

/**
 * What will be there after the staged changes, as joins: what is staged, and what is stored and not doomed. They look up
 * single keys. A view of the same could be read more easily, but Postgres would read whole tables for each check, because
 * it can't look up a key in a union of such conditions.
 */

/**
 * Joins a resource by its key: as `as` what is stored, as `new_` what is staged, as `doomed_` what is removed.
 *
 * @param keys the values of its key's columns
 */
export function joinAfter(kind: ResourceKind, as: string, ...keys: string[]): string {
  const { table, key } = resourceOf(kind);
  const hasKeys = (row: string) => key.map((column, index) => `${row}.${column} = ${keys[index]}`).join(" and ");
  return `
    left join ${table} ${as} on ${hasKeys(as)}
    left join staged_${table} new_${as} on ${hasKeys(`new_${as}`)}
    left join doomed_${table} doomed_${as} on ${hasKeys(`doomed_${as}`)}`;
}

/** @param key a column that a resource joined in this way has */
export const isThere = (as: string, key = "id") =>
  `(new_${as}.${key} is not null or (${as}.${key} is not null and doomed_${as}.${key} is null))`;

/** The value of a column of something joined in this way. */
export const afterwards = (as: string, column: string) =>
  `case when new_${as}.id is not null then new_${as}.${column} when doomed_${as}.id is null then ${as}.${column} end`;

/** Joins the grant of the project of `s` to the organization of `s`. */
export const joinGrantOfPlace = `
    left join project_grants g on g.project_id = s.project_id and g.organization_id = s.organization_id
    left join staged_project_grants new_g on new_g.project_id = s.project_id and new_g.organization_id = s.organization_id
    left join doomed_project_grants doomed_g on doomed_g.id = g.id`;

export const grantOfPlace = "coalesce(new_g.id, case when doomed_g.id is null then g.id end)";

/** Joins everything that could remove the stored authorization `a`. */
export const joinDoomOfAuthorization = `
    left join staged_removals named_a on named_a.kind = 'authorization' and named_a.id = a.id
    left join doomed_users user_a on user_a.id = a.user_id
    left join doomed_projects project_a on project_a.id = a.owned_project_id
    left join doomed_project_grants grant_a on grant_a.id = a.granted_by`;

/** Whether an authorization joined in this way stays. */
export const isKeptAuthorization = "coalesce(named_a.id, user_a.id, project_a.id, grant_a.id) is null";

/** Joins the removal `r` that names a stored row. */
export const joinNamed = (kind: ResourceKind, row: string) =>
  `left join staged_removals r on r.kind = '${kind}' and ${isSame(kind, "r", row)}`;
