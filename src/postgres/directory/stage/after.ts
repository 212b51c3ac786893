import { type ResourceKind, resourceOf } from "./resources.ts";

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
