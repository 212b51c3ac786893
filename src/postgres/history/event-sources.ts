import sql, { join, raw, type Sql } from "sql-template-tag";
import { eventTypes } from "../../authorization/event.ts";
import { type EventReach, isInReach, isVisibleEvent } from "../seen/event-reach.ts";
import { type EventNarrowing, inTime, isActor, isKept, rowConditions } from "./event-filters.ts";
import { keptInPlaces, keptOfAll } from "./kept-totals.ts";

/** Events `e` that an index has in the order of their time. No event is in two of the sources of a list. */
export type EventSource = {
  /** What begins the index. */
  readonly holds: Sql;
  /** A key that all of them share, when Postgres does not see by itself that it makes no difference to their order. */
  readonly sameKey?: Sql;
  /** What else is asked of an event. */
  readonly conditions: readonly Sql[];
  /** Rows `r` that `holds` speaks of, each with events of its own; undefined when it speaks of none. */
  readonly each?: Sql;
  /** Which of the rows, when these are places of the reach, of which there may be thousands. */
  readonly places?: Sql;
  /** Read only when this is true. */
  readonly when?: Sql;
};

export type EventSources = {
  /** Tables they need, in order. */
  readonly tables: readonly Sql[];
  readonly sources: readonly EventSource[];
};

/**
 * Where a list finds its events: by the narrowest that a filter or the caller's rights leave. Who did it and the type may
 * be found by the filter or by the places: whichever has less.
 */
export function eventSources(reach: EventReach, narrowing: EventNarrowing): EventSources {
  const { authorizationId, userId, actorId, types } = narrowing;
  const rest = [...inTime(narrowing), ...rowConditions(narrowing)];
  const tables = reach.places === undefined ? [] : [sql`reach as materialized (${reach.places})`];
  const visible = [isVisibleEvent(reach), ...rest];
  if (authorizationId !== undefined) {
    return { tables, sources: [{ holds: sql`e.authorization_id = ${authorizationId}::text`, conditions: visible }] };
  }
  if (userId !== undefined) {
    return { tables, sources: [{ holds: sql`e.user_id = ${userId}::text`, conditions: visible }] };
  }

  const byFilter: EventSource =
    actorId === undefined
      ? { each: ofTypes(types ?? eventTypes), holds: sql`e.type = r.type`, conditions: visible }
      : { holds: isActor(actorId), sameKey: sql`e.actor_id`, conditions: visible };
  if (reach.everything && reach.places === undefined) return { tables, sources: [byFilter] };
  const own = { holds: sql`e.user_id = ${reach.owner}::text`, conditions: [sql`not ${isInReach(reach)}`, ...rest] };
  if (reach.places === undefined) return { tables, sources: [own] };

  const places = reach.kinds.map(
    (kind): EventSource => ({ ...placesOfKind[kind], each: sql`reach r`, conditions: rest }),
  );
  const byPlace = reach.everything ? places : [...places, own];
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

const placesOfKind = {
  organization: {
    places: sql`r.project_id = ''`,
    holds: sql`e.organization_id = r.organization_id`,
  },
  place: {
    places: sql`r.project_id <> ''`,
    holds: sql`e.organization_id = r.organization_id and e.project_id = r.project_id
        and e.project_grant_id = r.project_grant_id`,
  },
};

function ofTypes(types: readonly string[]): Sql {
  return sql`unnest((select ${types}::text[])) as r (type)`;
}

/**
 * Compares how many events are found by the filter and how many by the places. Of types both are kept. Of who did it, and
 * in a range of time, entries are counted, and counting stops where it costs more than it could save.
 */
function choice(byFilter: EventSource, places: readonly EventSource[], narrowing: EventNarrowing): Sql {
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

function countSome(sources: readonly EventSource[], narrowing: EventNarrowing): Sql {
  const entries = sources.map((source) => {
    const conditions = join([source.holds, ...inTime(narrowing)], " and ");
    return sql`(select ${forEach(source, sql`select from events e where ${conditions} limit ${mostCounted}`)})`;
  });
  return sql`(select count(*) from (${join(entries, " union all ")} limit ${mostCounted}) counted)`;
}

/** How many events the sources have. */
export function countEvents(sources: readonly EventSource[]): Sql {
  const counts = sources.map((source) => {
    const { holds, conditions } = source;
    const events = sql`select count(*) as number from events e where ${join([holds, ...conditions], " and ")}`;
    return sql`(select coalesce(sum(t.number), 0) ${forEach(source, events)})`;
  });
  return join(counts, " + ");
}

/** The rest of a statement that selects from `t`: what is selected, once or for each row that the source speaks of. */
export function forEach({ each, places, when }: EventSource, selected: Sql): Sql {
  const rows = each === undefined ? sql`lateral` : sql`${each} cross join lateral`;
  return sql`from ${rows} (${selected}) t where ${join([when, places].filter((is) => is !== undefined).concat(sql`true`), " and ")}`;
}
