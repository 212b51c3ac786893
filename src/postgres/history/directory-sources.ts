import sql, { join, raw, type Sql } from "sql-template-tag";
import { type ThingKind, thingKinds } from "../../directory/history.ts";
import type { Source } from "../page/top-of-sources.ts";
import { hiddenTo, isSince } from "../seen/places.ts";
import type { DirectoryNarrowing } from "./directory-narrowing.ts";
import { type DirectoryVisibility, isInPlaces, isOwnEvent, isSeenEvent, placesTables } from "./directory-visibility.ts";
import { inTime, isActor, keptInTime } from "./narrowing.ts";
import { alongShortest, type HowRead, type Way } from "./shortest-way.ts";

/** Events `e` by time, and events of the same time by sequence; or, in a place, only their times and sequences. */
const byTime = { from: sql`kept_directory_events e`, key: sql`e.time`, id: sql`e.sequence` };
const inPlace = { ...byTime, from: sql`kept_directory_event_places e` };

/**
 * Where a list finds its events. A user has few events, so a filter by user leads the way. Otherwise, the shortest way is
 * taken.
 */
export function directorySources(visibility: DirectoryVisibility, narrowing: DirectoryNarrowing, how: HowRead) {
  const kept = keptInTime(narrowing, "directory_events", "directory_event_places");
  const tables = [...kept, ...placesTables(visibility)];
  const [first = [], ...others] = waysTo(visibility, narrowing);
  if (others.length === 0) return { tables, sources: first };
  const shortest = alongShortest([first, ...others], narrowing, how);
  return { ...shortest, tables: [...tables, ...shortest.tables] };
}

function waysTo(visibility: DirectoryVisibility, narrowing: DirectoryNarrowing): Way[] {
  const { id, userId, actorId, organizationId, projectId, types } = narrowing;
  const isSeen = isSeenEvent(visibility);
  const conditions = [...inTime(narrowing), ...conditionsOn(narrowing)];
  const ofEvents = { ...byTime, conditions: [isSeen, ...conditions] };
  const hasNoPlaces = visibility.sees === "places" && visibility.size === 0;
  // No event of a token is in a place.
  const isOfTokens = visibility.sees !== "everything" && (types?.every((type) => type === "token") ?? false);
  if (hasNoPlaces || isOfTokens) return [[{ ...byTime, holds: isOwnEvent(visibility), conditions }]];
  if (userId !== undefined) return [[{ ...ofEvents, holds: sql`e.user_id = ${userId}::text` }]];

  const ways: Way[] = [];
  if (id !== undefined) ways.push([{ ...ofEvents, from: eventsWithId(id), each: ofKinds(types), holds: sql`true` }]);
  if (projectId !== undefined) ways.push([ofPlace("project", projectId, visibility, narrowing)]);
  if (organizationId !== undefined) ways.push([ofPlace("organization", organizationId, visibility, narrowing)]);
  if (actorId !== undefined) ways.push([{ ...ofEvents, holds: isActor(actorId), sameFirst: sql`e.actor_id` }]);
  if (types !== undefined) {
    ways.push([{ ...ofEvents, each: ofKinds(types), areKinds: true, holds: sql`e.kind = r.kind` }]);
  }
  if (visibility.sees === "places") ways.push(inPlaces(visibility, narrowing));
  return ways.length > 0 ? ways : [everywhere(visibility, narrowing)];
}

/** All events, or all but the tokens of others. */
function everywhere(visibility: DirectoryVisibility, narrowing: DirectoryNarrowing): Way {
  const conditions = inTime(narrowing);
  const ofKind = { ...byTime, conditions, areKinds: true, holds: sql`e.kind = r.kind` };
  if (visibility.sees === "everything") return [{ ...ofKind, each: ofKinds(thingKinds) }];
  const own = {
    ...byTime,
    conditions: [sql`(e.kind = 'token') is true`, ...conditions],
    holds: isOwnEvent(visibility),
  };
  return [{ ...ofKind, each: ofKinds(thingKinds.filter((kind) => kind !== "token")) }, own];
}

/** Events in the caller's places, each in the first one of them; and the caller's own that are in none. */
function inPlaces(visibility: DirectoryVisibility, narrowing: DirectoryNarrowing): Way {
  const rows = conditionsOn(narrowing);
  const isFirst = sql`not ${isInPlaces(visibility, sql`(p.kind, p.id) < (e.kind, e.id)`)}`;
  const ofEachPlace: Source = {
    ...inPlace,
    each: sql`reach r`,
    places: sql`true`,
    holds: sql`e.kind = r.place_kind and e.id = r.place_id and ${isSince(sql`e`, sql`r.hidden_to`, visibility.isInTime)}`,
    conditions: [
      ...inTime(narrowing),
      ...(visibility.size > 1 ? [isFirst] : []),
      ...(rows.length > 0 ? [hasEvent(rows)] : []),
    ],
  };
  const own: Source = {
    ...byTime,
    holds: isOwnEvent(visibility),
    conditions: [sql`not ${isInPlaces(visibility)}`, ...inTime(narrowing), ...rows],
  };
  return [ofEachPlace, own];
}

/** Events of an organization or a project that the caller sees. */
function ofPlace(
  kind: "organization" | "project",
  id: string,
  visibility: DirectoryVisibility,
  narrowing: DirectoryNarrowing,
): Source {
  const { [`${kind}Id` as const]: _, ...others } = narrowing;
  const rows = conditionsOn(others);
  const isReached = sql`(${raw(`'${kind}'`)}, ${id}::text) in (select place_kind, place_id from reach)`;
  const hidden = hiddenTo(kind, sql`${id}::text`, "last_directory_event");
  const isOfPlace = isSince(sql`e`, hidden, visibility.isInTime);
  // No event of a token is in a place.
  const isSeen =
    visibility.sees === "places"
      ? [sql`((${isReached} and ${isOfPlace}) or ${hasEvent([isSeenEvent(visibility)])})`]
      : [];
  return {
    ...inPlace,
    holds: sql`e.kind = ${raw(`'${kind}'`)} and e.id = ${id}::text`,
    conditions: [...isSeen, ...inTime(narrowing), ...(rows.length > 0 ? [hasEvent(rows)] : [])],
  };
}

/** True for a row of a place whose event `e` meets the conditions. */
function hasEvent(conditions: readonly Sql[]): Sql {
  return sql`exists (
        select from (select * from directory_events d where d.sequence = e.sequence offset 0) e
        where ${join([...conditions], " and ")})`;
}

/**
 * Conditions on an event `e`.
 *
 * @param hint a form that keeps Postgres from choosing an index with an unsuitable order; empty where the order doesn't
 *   matter
 */
export function conditionsOn(narrowing: DirectoryNarrowing, hint = raw(" is true")): Sql[] {
  const { id, userId, actorId, organizationId, otherOrganizationIds = [], projectId, types } = narrowing;
  const conditions: Sql[] = [];
  if (id !== undefined) conditions.push(sql`(e.id = ${id}::text)${hint}`);
  if (userId !== undefined) conditions.push(sql`(e.user_id = ${userId}::text)${hint}`);
  if (actorId !== undefined) conditions.push(sql`(${isActor(actorId)})${hint}`);
  if (types !== undefined) conditions.push(sql`(e.kind = any(${types}::text[]))${hint}`);
  if (organizationId !== undefined) conditions.push(wasIn("organization", organizationId));
  for (const other of otherOrganizationIds) conditions.push(wasIn("organization", other));
  if (projectId !== undefined) conditions.push(wasIn("project", projectId));
  return conditions;
}

function wasIn(kind: "organization" | "project", id: string): Sql {
  return sql`exists (
        select from directory_event_places p
        where p.sequence = e.sequence and p.kind = ${raw(`'${kind}'`)} and p.id = ${id}::text offset 0)`;
}

function ofKinds(kinds: readonly ThingKind[] = thingKinds): Sql {
  return sql`unnest((select ${kinds}::text[])) as r (kind)`;
}

/** The offset makes Postgres find the few events of a thing first. Otherwise it could read all events by their time. */
function eventsWithId(id: string): Sql {
  return sql`(
          select * from kept_directory_events where kind = r.kind collate "C" and id = ${id}::text offset 0) e`;
}
