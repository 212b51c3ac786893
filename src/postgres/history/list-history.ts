import sql, { type Sql } from "sql-template-tag";
import {
  type EventPosition,
  type History,
  type HistoryFilter,
  type HistoryQuery,
  mostCounted,
} from "../../authorization/history.ts";
import { toRfc3339 } from "../../authorization/instant.ts";
import type { Caller } from "../../authorization/permissions.ts";
import { orderBy, pageStatement, readPage, rowsFor } from "../page/page.ts";
import { countSomeOfSources, topOfSources } from "../page/top-of-sources.ts";
import type { Database } from "../pool/database.ts";
import { namedByText, type Statement } from "../pool/prepared.ts";
import type { HistoryTable } from "./history-table.ts";
import { type Narrowing, narrow } from "./narrowing.ts";
import { type Seen, sourcesOf } from "./ways.ts";

/** One of the two histories, as callers list it. */
export type ListedHistory<Id extends string, Type extends string, Row, Event> = HistoryTable<Id, Type> & {
  /** Who sees which events. */
  seenBy(caller: Caller, narrowing: Narrowing<Id, Type>): Seen;
  /**
   * Selects what a list shows of events, with their `position`.
   *
   * @param page selects the events' sequences as `id`, in order
   */
  listed(caller: Caller, page: Sql): Sql;
  toEvent(row: Row): Event;
};

type Query<Id extends string, Type extends string> = HistoryQuery<HistoryFilter<Id, Type>>;

/** Reads the total and the page in one statement, so both come from the same snapshot. */
export function postgresHistory<Id extends string, Type extends string, Row extends EventPosition, Event>(
  database: Database,
  history: ListedHistory<Id, Type, Row, Event>,
): History<HistoryFilter<Id, Type>, Event> {
  const toPosition = ({ time, sequence }: Row) => ({ time, sequence });
  return {
    async list(caller, query, signal) {
      const statement = historyStatement(history, caller, query);
      if (statement === undefined) return { total: 0, next: undefined, items: [] };
      return readPage(database, statement, { toItem: history.toEvent, toPosition }, signal);
    },
  };
}

/** The statement; undefined if nothing can match. Also for tests of its plans. */
export function historyStatement<Id extends string, Type extends string, Row, Event>(
  history: ListedHistory<Id, Type, Row, Event>,
  caller: Caller,
  query: Query<Id, Type>,
): Statement | undefined {
  const narrowing = narrow(query.filters, history.several);
  if (narrowing === undefined) return undefined;
  const { ascending, after } = query;
  const seen = history.seenBy(caller, narrowing);
  const { tables, sources } = sourcesOf(history, narrowing, seen);
  const end = after && { key: sql`${toRfc3339(after.time)}::timestamptz`, id: sql`${after.sequence}::bigint` };
  const listing = {
    tables: [
      ...tables,
      ...topOfSources(sources, { ascending, after: end }, rowsFor(query), seen.size),
      sql`candidates as (select key, id from walked)`,
    ],
    order: orderBy({ key: sql`key`, id: sql`id` }, ascending),
    total: sql`${countSomeOfSources(sources, mostCounted)}::integer`,
    listed: (page: Sql) => history.listed(caller, page),
  };
  const statement = pageStatement(listing, query);
  return isPlannedOnce(narrowing) ? namedByText(statement) : statement;
}

/**
 * Whether the plan is the same for all values of the filters. How many events a range of times or an actor has is told by
 * the values. An index leads to those of other filters.
 */
function isPlannedOnce({ actorId, from, to }: Narrowing<string, string>): boolean {
  return [actorId, from, to].every((one) => one === undefined);
}
