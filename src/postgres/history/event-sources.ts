import sql, { type Sql } from "sql-template-tag";
import { type EventType, eventTypes } from "../../authorization/event.ts";
import type { Source } from "../page/top-of-sources.ts";
import { eachPlace, isOnlyOwn, isSeen, type Reach, reachTable } from "../seen/reach.ts";
import { type EventNarrowing, isKept, rowConditions } from "./event-filters.ts";
import { keptInPlaces, keptOfAll } from "./kept-totals.ts";
import { inTime, isActor } from "./narrowing.ts";
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
  const { authorizationId, userId, actorId, types, from, to } = narrowing;
  const { authorizationId: _assignment, ...butAssignment } = narrowing;
  const { userId: _user, ...butUser } = narrowing;
  const conditionsOn = (narrowing: EventNarrowing) => [...inTime(narrowing), ...rowConditions(narrowing)];
  const ofOne = (holds: Sql, conditions: readonly Sql[]): EventSources => {
    const source = { ...byTime, holds, conditions };
    const tables = [...reachTable(reach), ...(skipTotal ? [] : [fewTable([source])])];
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
  if (reach.everything) return { tables: reachTable(reach), sources: [byFilter] };
  const { organizationId: _organization, projectId: _project, ...butPlace } = narrowing;
  const places = eachPlace(reach, sql`e`).map(
    ({ each, places, holds }): Source => ({ ...byTime, each, places, holds, conditions: conditionsOn(butPlace) }),
  );
  const own = { ...byTime, holds: isOnlyOwn(reach, sql`e`), conditions: rest };
  if (places.length === 0) return ofOne(own.holds, rest);
  const tables = reachTable(reach);
  const isOwner = reach.owner !== undefined;
  if (!isKept(narrowing) && (actorId !== undefined || types !== undefined)) {
    const ways = [isOwner ? [...places, own] : places, [byFilter]];
    const ofPlaces = from === undefined && to === undefined ? keptInPlaces(undefined) : undefined;
    const shortest = alongShortest(ways, narrowing, !skipTotal, ofPlaces);
    return { tables: [...tables, ...shortest.tables], sources: shortest.sources };
  }
  if (isOwner && !skipTotal) tables.push(fewTable([own]));
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
