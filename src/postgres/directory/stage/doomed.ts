import { isSame, type ResourceKind, resourceKinds, resourceOf, type resources } from "./resources.ts";

/** Selects the ids of the tokens of removed users, and of the tokens made with them, directly or not. */
export const tokensFromDoomedUsers = `
    with recursive tree (id) as (
      select t.id from doomed_users d join tokens t on t.user_id = d.id
      union
      select t.id from tree join tokens t on t.made_with = tree.id
    )
    select id from tree`;

/** Further columns of what is removed, for statements that run when it is gone, or that tell where it was. */
const alsoOf: { readonly [kind in ResourceKind]?: readonly string[] } = {
  user: ["organization_id"],
  project: ["organization_id"],
  projectGrant: ["project_id", "organization_id", "owner_id"],
};

/**
 * Everything of a kind that is removed: what changes name, with the position of the change, and what goes with something
 * else (docs/reference/directory.md). Each thing once.
 */
function selectDoomedOf(kind: ResourceKind): string {
  const { table, key, goesWith } = resourceOf(kind);
  const columns = [...key, ...(alsoOf[kind] ?? [])];
  const its = columns.map((column) => `x.${column}`).join(", ");
  const found = [
    `select ${its}, d.position from staged_removals_of_${table} d join ${table} x on ${isSame(kind, "x", "d")}`,
    ...Object.entries(goesWith).map(
      ([other, column]) =>
        `select ${its}, null from doomed_${resourceOf(other as ResourceKind).table} d join ${table} x on x.${column} = d.id`,
    ),
  ];
  return `
    select ${columns.join(", ")}, max(position) as position
    from (
      ${found.join("\n      union all ")}) found
    group by ${columns.join(", ")}`;
}

/** The kinds of resources whose removal removes something of a kind. */
function doomedWith(kind: ResourceKind): ResourceKind[] {
  return [kind, ...(Object.keys(resourceOf(kind).goesWith) as ResourceKind[]).flatMap(doomedWith)];
}

/** The relations of what is removed. */
export type Doomed =
  | `doomed_${(typeof resources)[ResourceKind]["table"]}`
  | "doomed_tokens"
  /** Removed by name, from projects that stay. */
  | "lost_roles";

/** The query of each, if removals of these kinds of resources can remove something of it. */
export function selectDoomed(removed: ReadonlySet<ResourceKind>): { readonly [relation in Doomed]?: string } {
  const found = resourceKinds.filter((kind) => doomedWith(kind).some((one) => removed.has(one)));
  return {
    ...Object.fromEntries(found.map((kind) => [`doomed_${resourceOf(kind).table}`, selectDoomedOf(kind)])),
    ...(found.includes("user") && { doomed_tokens: selectDoomedTokens }),
    ...(removed.has("projectRole") && { lost_roles: selectLostRoles }),
  };
}

const selectLostRoles = `
    select project_id, key as role_key from doomed_project_roles
    where position is not null and project_id not in (select id from doomed_projects)`;

/**
 * Those of removed users and those made with them, except for tokens of other users that the caller may not remove
 * (docs/reference/tokens.md).
 */
const selectDoomedTokens = `
    select t.id
    from (${tokensFromDoomedUsers}) tree join tokens t on t.id = tree.id join users u on u.id = t.user_id
    cross join removable r
    where r.is_everywhere or u.organization_id = any(r.organization_ids) or u.id in (select id from doomed_users)`;

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
