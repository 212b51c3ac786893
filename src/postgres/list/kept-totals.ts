import sql, { type Sql } from "sql-template-tag";
import { isOnlyOwn, type Narrowing, ofOwner, type Reach } from "../seen/reach.ts";

/**
 * The total of a list that is filtered by nothing but organization, project and state, from the numbers that triggers
 * keep (migrations/0004_pages_and_totals.sql). Only own authorizations outside the caller's scopes are counted one by
 * one. Expects the places as `reach`.
 */
export function keptTotal(reach: Reach, narrowing: Narrowing): Sql {
  const inState = narrowing.state === undefined ? sql`true` : sql`c.state = ${narrowing.state}::authorization_state`;
  if (reach.everything) {
    return sql`(
      select coalesce(sum(c.count), 0)::integer from authorization_counts c
      where c.project_id = '' and c.organization_id = '' and ${inState})`;
  }
  const own = sql`(select count(*)::integer from ${ofOwner(reach)} where ${isOnlyOwn(reach, narrowing)})`;
  if (reach.places === undefined) return own;
  const inPlaces = sql`(
      select coalesce(sum(c.count), 0)::integer
      from reach r
      join authorization_counts c on c.project_id = r.project_id and c.organization_id = r.organization_id
      where ${inState})`;
  return reach.owner === undefined ? inPlaces : sql`${inPlaces} + ${own}`;
}
