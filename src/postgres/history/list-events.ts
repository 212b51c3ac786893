import sql, { join, type Sql } from "sql-template-tag";
import type { EventPage, EventQuery } from "../../authorization/history.ts";
import { type Caller, visibilityOf } from "../../authorization/permissions.ts";
import type { Database } from "../database.ts";
import { clampOffset } from "../page/order.ts";
import { namedByText, type Statement } from "../prepared.ts";
import { eventReachOf } from "../seen/event-reach.ts";
import { isKept, narrowEvents } from "./event-filters.ts";
import { countEvents, eventSources } from "./event-sources.ts";
import { keptEventTotal } from "./kept-totals.ts";
import { type ListedEventRow, selectListedEvents, toNamedEvent } from "./listed-events.ts";
import { orderEvents, topEvents } from "./top-events.ts";

/** Reads the total and the page in one statement, so that both are of one moment. */
export async function listEvents(
  database: Database,
  caller: Caller,
  query: EventQuery,
  signal: AbortSignal,
): Promise<EventPage> {
  type Row = { total: number; more: boolean } & (ListedEventRow | { sequence: null });
  const statement = eventStatement(caller, query);
  const rows = statement === undefined ? [] : await database.query<Row>(statement, signal);
  const events = rows.flatMap((row) => (row.sequence === null ? [] : [toNamedEvent(row)]));
  return { total: rows[0]?.total ?? 0, more: rows[0]?.more ?? false, events };
}

/** The statement alone, for tests of its shapes and plans; undefined when nothing can match. */
export function eventStatement(caller: Caller, query: EventQuery): Statement | undefined {
  const narrowing = narrowEvents(query.filters);
  if (narrowing === undefined) return undefined;
  const reach = eventReachOf(visibilityOf(caller), narrowing);
  const { tables, sources } = eventSources(reach, narrowing);
  const total = query.skipTotal ? sql`0` : isKept(narrowing) ? keptEventTotal(reach, narrowing) : countEvents(sources);
  const limit = sql`${query.limit}::bigint`;
  const order = (table: Sql) => orderEvents(table, query.ascending);
  const page = sql`select sequence from ranked order by ${order(sql`ranked`)} limit ${limit}`;
  // One event more than the page tells whether there is a next one. The total stands beside the page, because past the
  // last page there is no event to carry it.
  const statement = sql`
    with ${join([...tables, ...topEvents(sources, query)], ", ")}, ranked as materialized (
      select time, sequence from walked
      order by ${order(sql`walked`)}
      limit ${limit} + 1 offset ${clampOffset(query.offset)}::bigint
    )
    select t.*, l.*
    from (
      select least(${total}, ${mostTold})::float8 as total, (select count(*) from ranked) > ${limit} as more) t
    left join (${selectListedEvents(caller, page)}) l on true
    order by l.position`;
  return isKept(narrowing) ? namedByText(statement) : statement;
}

/** What the message can carry. */
const mostTold = sql`4294967295`;
