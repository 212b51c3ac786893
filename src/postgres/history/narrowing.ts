import sql, { raw, type Sql } from "sql-template-tag";
import type { Instant } from "../../authorization/authorization.ts";
import type { DateRange } from "../../authorization/list.ts";
import { isWithin } from "../page/comparisons.ts";

/** All filters of a history combined: at most one id of each kind, some types, and one time range. */
export type Narrowing<Id extends string, Type extends string> = { readonly [Kind in Id]?: string } & {
  readonly types?: readonly Type[];
  readonly from?: Instant;
  readonly to?: Instant;
};

/** A filter of a history. */
type Filter<Id extends string, Type extends string> =
  | { readonly kind: Id; readonly id: string }
  | { readonly kind: "types"; readonly types: readonly Type[] }
  | { readonly kind: "time"; readonly range: DateRange };

/**
 * Undefined if nothing can match: an empty id, two different ids, or types without overlap. Only an actor may have an
 * empty id.
 */
export function narrow<Id extends string, Type extends string>(
  filters: readonly Filter<Id, Type>[],
): Narrowing<Id, Type> | undefined {
  const ids = new Map<string, string>();
  let types: readonly Type[] | undefined;
  let [from, to]: (Instant | undefined)[] = [];
  for (const filter of filters) {
    if ("types" in filter) {
      types = (types ?? filter.types).filter((type) => filter.types.includes(type));
      if (types.length === 0) return undefined;
    } else if ("range" in filter) {
      from = latest(from, filter.range.from);
      to = earliest(to, filter.range.to);
    } else {
      const { kind, id } = filter;
      if ((ids.get(kind) ?? id) !== id || (id === "" && kind !== "actorId")) return undefined;
      ids.set(kind, id);
    }
  }
  const range = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  return { ...Object.fromEntries(ids), ...(types === undefined ? {} : { types }), ...range } as Narrowing<Id, Type>;
}

/** The time conditions on an event `e`, in a form that every index can use as its second column. */
export function inTime(narrowing: Narrowing<never, string>): Sql[] {
  const { from, to } = narrowing;
  return isInTime(narrowing) ? [isWithin(sql`e.time`, { from, to })] : [];
}

export function isInTime({ from, to }: Narrowing<never, string>): boolean {
  return from !== undefined || to !== undefined;
}

/**
 * Tables in place of the views of kept events, for a range of times. There, a condition on the sequence must not be one on
 * an index: PostgreSQL 18 can expect to search that index once for each time in the range, and read all events of the range
 * from another index instead.
 */
export function keptInTime(narrowing: Narrowing<never, string>, ...tables: string[]): Sql[] {
  if (!isInTime(narrowing)) return [];
  return tables.map(
    (table) => sql`${raw(`kept_${table}`)} as not materialized (
      select * from ${raw(table)} where sequence + 0 >= (select first_sequence from kept_history))`,
  );
}

/** True for an event `e` by this user or, for an empty id, by the command line. */
export function isActor(actorId: string): Sql {
  return actorId === "" ? sql`e.actor_id is null` : sql`e.actor_id = ${actorId}::text`;
}

function latest(one: Instant | undefined, other: Instant | undefined): Instant | undefined {
  return one === undefined || (other !== undefined && other > one) ? other : one;
}

function earliest(one: Instant | undefined, other: Instant | undefined): Instant | undefined {
  return one === undefined || (other !== undefined && other < one) ? other : one;
}
