import sql, { raw, type Sql } from "sql-template-tag";
import { isWithin } from "../page/comparisons.ts";
import { idsIn, type Narrowing, type TimeRange } from "./narrowing.ts";

/** What is special about the table of one history. `Id` are the kinds of its filters that compare an id. */
export type HistoryTable<Id extends string, Type extends string> = {
  /** Its events that are not archived. */
  readonly view: "kept_events" | "kept_directory_events";
  /** The type of an event `e`, and all types. */
  readonly type: Sql;
  readonly types: readonly Type[];
  /** For each of these filters, the condition on an event `e`. */
  readonly has: Readonly<Record<Id, (id: string) => Sql>>;
  /** Those that few events match. An index finds these events. */
  readonly few: readonly Id[];
  /** The one that an event can match with several ids. */
  readonly several?: Id;
};

/**
 * The conditions on an event `e`, without those on its time.
 *
 * @param except a filter whose first id needs no condition
 * @param hint a form that keeps Postgres from choosing an index with an unsuitable order; empty where the order doesn't
 *   matter
 */
export function conditionsOn<Id extends string, Type extends string>(
  { type, has }: HistoryTable<Id, Type>,
  narrowing: Narrowing<Id, Type>,
  except?: Id,
  hint = raw(" is true"),
): Sql[] {
  const conditions = (Object.keys(has) as Id[]).flatMap((kind) =>
    idsIn(narrowing, kind)
      .slice(kind === except ? 1 : 0)
      .map((id) => sql`(${has[kind](id)})${hint}`),
  );
  const { actorId, types } = narrowing;
  if (actorId !== undefined) conditions.push(sql`(${isActor(actorId)})${hint}`);
  if (types !== undefined) conditions.push(sql`(${type} = any(${types}::text[]))${hint}`);
  return conditions;
}

/** The condition on the time of an event `e`, in a form that every index can use as its second column. */
export function inTime({ from, to }: TimeRange): Sql[] {
  return from === undefined && to === undefined ? [] : [isWithin(sql`e.time`, { from, to })];
}

/** True for an event `e` by this user or, for an empty id, by the command line. Ends have neither an actor nor a request. */
export function isActor(actorId: string): Sql {
  if (actorId === "") return sql`(e.actor_id is null and e.request_id is not null)`;
  return sql`e.actor_id = ${actorId}::text`;
}
