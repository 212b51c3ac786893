import sql, { type Sql } from "sql-template-tag";
import type { Reach } from "../seen/reach.ts";
import type { EventNarrowing } from "./event-filters.ts";

/**
 * The total of a list of events with no filters other than organization, project and types. It comes from the numbers
 * that a trigger maintains (migrations/0005_numbers.sql). Only the caller's own events outside its scopes are counted
 * one by one. Expects the places as `reach`, and these events as `few`.
 */
export function keptEventTotal(reach: Reach, narrowing: EventNarrowing): Sql {
  const { types } = narrowing;
  if (reach.everything) return keptOfAll(types);
  if (reach.owner === undefined) return keptInPlaces(types);
  const own = sql`(select count(*) from few)`;
  return reach.places === undefined ? own : sql`${keptInPlaces(types)} - ${hiddenInPlaces(types)} + ${own}`;
}

/** How many events the numbers count that are hidden. There are none unless something was created again. */
function hiddenInPlaces(types: EventNarrowing["types"]): Sql {
  return sql`(
      select coalesce(sum(count_hidden_events(organization_id, project_id, project_grant_id, hidden_to, ${types ?? null}::text[])), 0)
      from hiding)`;
}

/** How many events of these types, or of any type, there are. */
export function keptOfAll(types: EventNarrowing["types"]): Sql {
  return sql`(
      select coalesce(sum(n.number), 0) from numbers n
      where n.kind = 'event' and n.organization_id = '' and n.project_id = '' and ${ofTypes(types)})`;
}

/** How many of them are in the places. Expects the places as `reach`. */
export function keptInPlaces(types: EventNarrowing["types"]): Sql {
  return sql`(
      select coalesce(sum(n.number), 0)
      from reach r
      join numbers n on n.kind = 'event' and n.organization_id = r.organization_id and n.project_id = r.project_id
        and n.project_grant_id = r.project_grant_id
      where ${ofTypes(types)})`;
}

function ofTypes(types: EventNarrowing["types"]): Sql {
  return types === undefined ? sql`true` : sql`n.key = any(${types}::text[])`;
}
