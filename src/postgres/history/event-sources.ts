import sql, { type Sql } from "sql-template-tag";
import { type EventType, eventTypes } from "../../authorization/event.ts";
import type { Source } from "../page/top-of-sources.ts";
import { eachPlace, isOnlyOwn, isSeen, type Reach, reachTable } from "../seen/reach.ts";
import { type EventNarrowing, isKept, rowConditions } from "./event-filters.ts";
import { keptInPlaces, keptOfAll } from "./kept-totals.ts";
import { inTime, isActor, isInTime, keptInTime } from "./narrowing.ts";
import { alongShortest, few, fewTable } from "./shortest-way.ts";

export type EventSources = {
  /** The tables they need, in order. */
  readonly tables: readonly Sql[];
  readonly sources: readonly Source[];
};

/** Events `e` by time, and events of the same time by sequence. */
const byTime = { from: sql`kept_events e`, key: sql`e.time`, id: sql`e.sequence` };

/**
 * Where a list finds its events: through the narrowest filter or right. For actors and types, either the filter or the
 * places lead to the events, whichever has fewer.
 */
export function eventSources(reach: Reach, narrowing: EventNarrowing, skipTotal: boolean): EventSources {
  const { authorizationId, userId, actorId, types } = narrowing;
  const { authorizationId: _assignment, ...butAssignment } = narrowing;
  const { userId: _user, ...butUser } = narrowing;
  const shared = [...keptInTime(narrowing, "events"), ...reachTable(reach)];
  const conditionsOn = (narrowing: EventNarrowing) => [...inTime(narrowing), ...rowConditions(narrowing)];
  const ofOne = (holds: Sql, conditions: readonly Sql[]): EventSources => {
    const source = { ...byTime, holds, conditions };
    const tables = skipTotal ? shared : [...shared, fewTable([source])];
    return { tables, sources: [skipTotal ? source : few] };
  };
  const isSeenOne = isSeen(reach, sql`e`);
  if (authorizationId !== undefined) {
    return ofOne(sql`e.authorization_id = ${authorizationId}::text`, [isSeenOne, ...conditionsOn(butAssignment)]);
  }
  if (userId !== undefined) return ofOne(sql`e.user_id = ${userId}::text`, [isSeenOne, ...conditionsOn(butUser)]);
  const rest = conditionsOn(narrowing);
  const seen = { ...byTime, conditions: [isSeenOne, ...rest] };

  const byFilter: Source =
    actorId === undefined
      ? { ...seen, each: ofTypes(types ?? eventTypes), areKinds: true, holds: sql`e.type = r.type` }
      : { ...seen, holds: isActor(actorId), sameFirst: sql`e.actor_id` };
  if (reach.everything) return { tables: shared, sources: [byFilter] };
  const { organizationId: _organization, projectId: _project, ...butPlace } = narrowing;
  const places = eachPlace(reach, sql`e`).map(
    ({ each, places, holds }): Source => ({ ...byTime, each, places, holds, conditions: conditionsOn(butPlace) }),
  );
  const own = { ...byTime, holds: isOnlyOwn(reach, sql`e`), conditions: rest };
  if (places.length === 0) return ofOne(own.holds, rest);
  const isOwner = reach.owner !== undefined;
  if (!isKept(narrowing) && (actorId !== undefined || types !== undefined)) {
    const ofPlaces = isInTime(narrowing) ? undefined : keptInPlaces(undefined);
    const inPlaces = isOwner ? [...places, own] : places;
    const shortest = alongShortest([inPlaces, [byFilter]], narrowing, skipTotal ? "page" : "pageAndTotal", ofPlaces);
    return { tables: [...shared, ...shortest.tables], sources: shortest.sources };
  }
  const tables = isOwner && !skipTotal ? [...shared, fewTable([own])] : shared;
  const byPlace = isOwner ? [...places, skipTotal ? own : few] : places;
  if (types === undefined) return { tables, sources: byPlace };
  const isByFilter = sql`(select is_by_filter from choice)`;
  return {
    tables: [...tables, choiceOfTypes(types)],
    sources: [
      { ...byFilter, when: isByFilter },
      ...byPlace.map((source) => ({ ...source, when: sql`not ${isByFilter}` })),
    ],
  };
}

/** Whether fewer events have the types than are in the places, by the numbers that are kept. */
function choiceOfTypes(types: readonly EventType[]): Sql {
  return sql`choice as materialized (select ${keptOfAll(types)} < ${keptInPlaces(undefined)} as is_by_filter)`;
}

function ofTypes(types: readonly string[]): Sql {
  return sql`unnest((select ${types}::text[])) as r (type)`;
}
