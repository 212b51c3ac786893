import sql, { join, type Sql } from "sql-template-tag";
import { isOnlyOwn, type Reach } from "../seen/reach.ts";
import { type EventNarrowing, rowConditions } from "./event-filters.ts";

/**
 * The total of a list of events that is filtered by nothing but organization, project and types, from the numbers that a
 * trigger keeps (migrations/0006_history.sql). Only own events outside the caller's scopes are counted one by one.
 * Expects the places as `reach`.
 */
export function keptEventTotal(reach: Reach, narrowing: EventNarrowing): Sql {
  const { types } = narrowing;
  if (reach.everything) return keptOfAll(types);
  if (reach.owner === undefined) return keptInPlaces(types);
  const conditions = [isOnlyOwn(reach, sql`e`), ...rowConditions(narrowing)];
  const own = sql`(select count(*) from events e where ${join(conditions, " and ")})`;
  return reach.places === undefined ? own : sql`${keptInPlaces(types)} + ${own}`;
}

/** How many events of these types, or of all, there are. */
export function keptOfAll(types: EventNarrowing["types"]): Sql {
  return sql`(
      select coalesce(sum(c.count), 0) from event_counts c
      where c.project_id = '' and c.organization_id = '' and c.project_grant_id = '' and ${ofTypes(types)})`;
}

/** How many of them are in the places. Expects these as `reach`. */
export function keptInPlaces(types: EventNarrowing["types"]): Sql {
  return sql`(
      select coalesce(sum(c.count), 0)
      from reach r
      join event_counts c on c.project_id = r.project_id and c.organization_id = r.organization_id
        and c.project_grant_id = r.project_grant_id
      where ${ofTypes(types)})`;
}

function ofTypes(types: EventNarrowing["types"]): Sql {
  return types === undefined ? sql`true` : sql`c.type = any(${types}::text[])`;
}
