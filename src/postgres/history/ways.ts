import sql, { join, raw, type Sql } from "sql-template-tag";
import { mostCounted } from "../../authorization/history.ts";
import { countSomeOfSources, type Source } from "../page/top-of-sources.ts";
import { conditionsOn, type HistoryTable, inTime, isActor } from "./history-table.ts";
import { idsIn, type Narrowing, type TimeRange } from "./narrowing.ts";

/** Sources of all events that a list can have, and perhaps of others. They don't overlap. */
export type Way = readonly Source[];

/** What a caller sees of a history. */
export type Seen = {
  /** Tables that the conditions and the ways expect. */
  readonly tables: readonly Sql[];
  /** About how many places there are. */
  readonly size: number;
  /** True for an event `e` that the caller sees. */
  readonly isSeen: Sql;
  /** The same, if an index finds these events because they are only the caller's own. */
  readonly isOwn?: Sql | undefined;
  /** Ways through places: those of the filters, and those of the caller. Undefined ones don't exist. */
  readonly ways: readonly (Way | undefined)[];
  /** If there is no way and no filter either. */
  readonly everywhere: Way;
};

/** Events `e` by time, and events of the same time by sequence. */
export function byTime({ view }: Pick<HistoryTable<never, never>, "view">) {
  return { from: sql`${raw(view)} e`, key: sql`e.time`, id: sql`e.sequence` };
}

/**
 * Where a list finds its events. A filter that few events match leads the way. Otherwise, all ways are counted up to
 * 10,001 events, and the shortest is taken. If none is that short, the first one is taken.
 */
export function sourcesOf<Id extends string, Type extends string>(
  table: HistoryTable<Id, Type>,
  narrowing: Narrowing<Id, Type>,
  seen: Seen,
): { tables: readonly Sql[]; sources: readonly Source[] } {
  const { tables, isSeen, isOwn } = seen;
  const rest = [...inTime(narrowing), ...conditionsOn(table, narrowing)];
  if (isOwn !== undefined) return { tables, sources: [{ ...byTime(table), holds: isOwn, conditions: rest }] };

  const conditions = [isSeen, ...rest];
  for (const kind of table.few) {
    const [id] = idsIn(narrowing, kind);
    if (id === undefined) continue;
    return { tables, sources: [{ ...byTime(table), holds: table.has[kind](id), conditions }] };
  }
  const { actorId, types } = narrowing;
  const ways = seen.ways.filter((way) => way !== undefined);
  if (actorId !== undefined) {
    ways.push([{ ...byTime(table), holds: isActor(actorId), sameFirst: sql`e.actor_id`, conditions }]);
  }
  if (types !== undefined) ways.push([ofTypes(table, types, conditions)]);
  const [first = seen.everywhere, ...others] = ways;
  if (others.length === 0) return { tables, sources: first };
  const sources = ways.flatMap((way, number) => {
    const when = sql`(select way from choice) = ${raw(String(number))}`;
    return way.map((source) => ({ ...source, when }));
  });
  return { tables: [...tables, choice(ways, narrowing)], sources };
}

/** Events of some types. Newest first is a merge of these types. */
export function ofTypes<Type extends string>(
  table: Pick<HistoryTable<never, Type>, "view" | "type">,
  types: readonly Type[],
  conditions: readonly Sql[],
): Source {
  const each = sql`unnest((select ${types}::text[])) as r (type)`;
  return { ...byTime(table), each, areKinds: true, holds: sql`${table.type} = r.type`, conditions };
}

/** Counts entries of indexes: no other condition than that on the time. */
function choice(ways: readonly Way[], range: TimeRange): Sql {
  const numbers = ways.map((way, number) => {
    const entries = way.map((source) => ({ ...source, conditions: inTime(range) }));
    return sql`(${raw(String(number))}, ${countSomeOfSources(entries, mostCounted)})`;
  });
  return sql`choice as materialized (
      select way from (values ${join(numbers)}) ways (way, number) order by number, way limit 1)`;
}
