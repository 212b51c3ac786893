import sql, { join, raw, type Sql } from "sql-template-tag";
import { eventTypes } from "../../authorization/event.ts";
import { forEach, type Source } from "../page/top-of-sources.ts";
import { eachPlace, isOnlyOwn, isSeen, type Reach, reachTable } from "../seen/reach.ts";
import { type EventNarrowing, isKept, rowConditions } from "./event-filters.ts";
import { keptInPlaces, keptOfAll } from "./kept-totals.ts";
import { inTime, isActor } from "./narrowing.ts";

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
  const conditionsOn = (narrowing: EventNarrowing) => [...inTime(narrowing), ...rowConditions(narrowing)];
  const ofOne = (holds: Sql, conditions: readonly Sql[]): EventSources => {
    const source = { ...byTime, holds, conditions };
    const tables = [...reachTable(reach), ...(skipTotal ? [] : [fewTable(source)])];
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
  const places = eachPlace(reach, sql`e`).map(
    ({ each, places, holds }): Source => ({ ...byTime, each, places, holds, conditions: rest }),
  );
  const own = { ...byTime, holds: isOnlyOwn(reach, sql`e`), conditions: rest };
  if (places.length === 0) return ofOne(own.holds, rest);
  const byPlace = reach.owner === undefined ? places : [...places, skipTotal ? own : few];
  const tables = [...reachTable(reach), ...(byPlace.includes(few) ? [fewTable(own)] : [])];
  if (actorId === undefined && types === undefined) return { tables, sources: byPlace };
  const isByFilter = sql`(select is_by_filter from choice)`;
  return {
    tables: [...tables, choice(byFilter, places, narrowing)],
    sources: [
      { ...byFilter, when: isByFilter },
      ...byPlace.map((source) => ({ ...source, when: sql`not ${isByFilter}` })),
    ],
  };
}

/**
 * The events of one assignment or one user, which are few. They are read once for the total and the page, because each
 * month costs about as much as several events.
 */
const few: Source = { ...byTime, from: sql`few e`, holds: sql`true`, conditions: [] };

function fewTable({ from, holds, conditions }: Source): Sql {
  return sql`few as materialized (
      select e.time, e.sequence from ${from} where ${join([holds, ...conditions], " and ")})`;
}

function ofTypes(types: readonly string[]): Sql {
  return sql`unnest((select ${types}::text[])) as r (type)`;
}

/**
 * Compares how many events the filter and the places lead to. For types, both numbers are stored. For actors and time
 * ranges, entries are counted, up to the point where counting costs more than it could save.
 */
function choice(byFilter: Source, places: readonly Source[], narrowing: EventNarrowing): Sql {
  const { actorId, types } = narrowing;
  const kept = [keptOfAll(types), keptInPlaces(undefined)] as const;
  const counted = [countSome([byFilter], narrowing), countSome(places, narrowing)] as const;
  const [filter, place] =
    actorId !== undefined
      ? counted
      : isKept(narrowing)
        ? kept
        : [sql`(${counted[0]}, ${kept[0]})`, sql`(${counted[1]}, ${kept[1]})`];
  return sql`choice as materialized (select ${filter} < ${place} as is_by_filter)`;
}

const mostCounted = raw("10001");

function countSome(sources: readonly Source[], narrowing: EventNarrowing): Sql {
  const entries = sources.map((source) => {
    const conditions = join([source.holds, ...inTime(narrowing)], " and ");
    return sql`(select ${forEach(source, sql`select from kept_events e where ${conditions} limit ${mostCounted}`)})`;
  });
  return sql`(select count(*) from (${join(entries, " union all ")} limit ${mostCounted}) counted)`;
}
