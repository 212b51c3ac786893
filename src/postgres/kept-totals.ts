import sql, { type Sql } from "sql-template-tag";
import { isOnlyOwn, type Narrowing, ofOwner, type Reach } from "./reach.ts";

/**
 * The total of a list that is filtered by nothing but organization, project and state, from the numbers that a trigger
 * keeps (migrations/0005_numbers.sql). Only own authorizations outside the caller's scopes are counted one by
 * one. Expects the places as `reach`.
 */
export function keptTotal(reach: Reach, narrowing: Narrowing): Sql {
  const inState = narrowing.state === undefined ? sql`true` : sql`n.key = ${narrowing.state}::text`;
  if (reach.everything) {
    return sql`(
      select coalesce(sum(n.number), 0)::integer from numbers n
      where n.kind = 'state' and n.organization_id = '' and n.project_id = '' and ${inState})`;
  }
  const own = sql`(select count(*)::integer from ${ofOwner(reach)} where ${isOnlyOwn(reach, narrowing)})`;
  if (reach.places === undefined) return own;
  const inPlaces = sql`(
      select coalesce(sum(n.number), 0)::integer
      from reach r
      join numbers n on n.kind = 'state' and n.organization_id = r.organization_id and n.project_id = r.project_id
      where ${inState})`;
  return reach.owner === undefined ? inPlaces : sql`${inPlaces} + ${own}`;
}
