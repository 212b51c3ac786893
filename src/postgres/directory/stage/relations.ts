import { type Doomed, selectDoomed, selectShrunk } from "./doomed.ts";
import { selectEffects } from "./effects.ts";
import { resolvedColumns, selectResolved } from "./resolved.ts";
import type { StagedKinds } from "./staged-rows.ts";

/**
 * What is found about staged changes, as relations that statements name like tables (staging.ts). Each is found by a query from
 * what is stored and from the relations before it.
 */
export type Relation =
  | Doomed
  | "staged_project_grant_roles"
  | "staged_authorization_roles"
  | "shrunk_authorizations"
  | "effects"
  | "resolved_authorizations";

/** The query of each relation. Those that have no rows, whatever is stored, are left out. */
export function selectRelations(kinds: StagedKinds): { readonly [relation in Relation]?: string } {
  const { placed, removed } = kinds;
  const doomed = selectDoomed(removed);
  const effects = selectEffects(placed, doomed);
  return {
    ...(placed.has("projectGrant") && {
      staged_project_grant_roles:
        "select position, id as project_grant_id, unnest(role_keys) as role_key from staged_project_grants",
    }),
    ...(placed.has("authorization") && {
      staged_authorization_roles:
        "select position, id as authorization_id, unnest(role_keys) as role_key from staged_authorizations",
      resolved_authorizations: selectResolved,
    }),
    ...doomed,
    ...((removed.has("projectRole") || placed.has("projectGrant")) && { shrunk_authorizations: selectShrunk }),
    ...(effects !== undefined && { effects }),
  };
}

/** No rows, with the columns of a relation. Postgres leaves out what is joined with it, if it plans them together. */
export function noRows(relation: string): string {
  return relation === "resolved_authorizations" ? noneResolved : noneFound;
}

const noneResolved = `select * from json_to_recordset('[]') as r (${resolvedColumns}) where false`;

/** The columns of all others. */
const noneFound = `
    select ${[
      ...["id", "organization_id", "project_id", "project_grant_id", "owner_id", "key", "role_key", "user_id", "scope"],
      ...["kind", "within"],
    ]
      .map((column) => `null::text collate "C" as ${column}`)
      .join(", ")}, null::bigint as position, null::jsonb as before, null::jsonb as after where false`;
