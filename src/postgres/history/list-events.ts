import sql, { type Sql } from "sql-template-tag";
import type { EventPage, EventQuery } from "../../authorization/history.ts";
import { type Caller, visibilityOf } from "../../authorization/permissions.ts";
import type { Database } from "../database/database.ts";
import { formatInstant } from "../database/instants.ts";
import { namedByText, type Statement } from "../database/prepared.ts";
import { orderBy, pageStatement, rowsFor } from "../page/page.ts";
import { countOfSources, topOfSources } from "../page/top-of-sources.ts";
import { withinBytes } from "../page/within-bytes.ts";
import { events } from "../seen/places.ts";
import { reachOf } from "../seen/reach.ts";
import { type EventNarrowing, isKept, isPlannedOnce } from "./event-filters.ts";
import { eventSources } from "./event-sources.ts";
import { keptEventTotal } from "./kept-totals.ts";
import { type ListedEventRow, selectListedEvents, toNamedEvent } from "./listed-events.ts";
import { isInTime, narrow } from "./narrowing.ts";
import { namesOf, type RecentMonths, rangeSince, readRecentPage, type Since } from "./recent-months.ts";

/** Reads the total and the page in one statement, so both come from the same snapshot. */
export async function listEvents(
  database: Database,
  recentMonths: RecentMonths,
  caller: Caller,
  query: EventQuery,
  signal: AbortSignal,
): Promise<EventPage> {
  const narrowing = narrow(query.filters);
  if (narrowing === undefined) return { total: 0, more: false, events: [] };
  // With other filters, and for a caller's own events, all months are read for the total.
  const hasPlaces = visibilityOf(caller).scopes.length > 0;
  const recent = hasPlaces && isKept(narrowing) ? await recentMonths("events", signal) : [];
  const statement = (since?: Since) => statementFor(caller, query, narrowing, since);
  const { rows, total, more } = await readRecentPage<ListedEventRow>(database, query, recent, statement, signal);
  return { total, more, events: rows.map(toNamedEvent) };
}

/** Only the statement, for tests of its shapes and plans; undefined if nothing can match. */
export function eventStatement(caller: Caller, query: EventQuery, since?: Since): Statement | undefined {
  const narrowing = narrow(query.filters);
  return narrowing && statementFor(caller, query, narrowing, since);
}

function statementFor(caller: Caller, query: EventQuery, narrowing: EventNarrowing, since?: Since): Statement {
  const { ascending, after } = query;
  const reach = reachOf(visibilityOf(caller), { ...narrowing, isInTime: isInTime(narrowing) }, events);
  const { tables, sources } = eventSources(reach, narrowing, query.skipTotal ?? false);
  const end = after && { key: sql`${formatInstant(after.time)}::timestamptz`, id: sql`${after.sequence}::bigint` };
  const total = isKept(narrowing) ? keptEventTotal(reach, narrowing) : countOfSources(sources);
  const listing = {
    shared: tables,
    tables: [
      ...topOfSources(sources, { ascending, after: end }, rowsFor(query), reach.size),
      sql`candidates as (select key, id from walked)`,
    ],
    order: orderBy({ key: sql`key`, id: sql`id` }, ascending),
    total: sql`least(${total}, ${mostTold})::float8`,
    listed: (page: Sql) => withinBytes(selectListedEvents(caller, page), bytesOfRoles),
  };
  const statement = pageStatement(listing, query, since && rangeSince(since));
  return isPlannedOnce(narrowing) ? namedByText(statement, namesOf(since)) : statement;
}

/** There may be 1,000 roles, with long names. Even the shortest one takes some 100 bytes when the server answers. */
const bytesOfRoles = sql`
  octet_length(l.roles::text) + 64 * json_array_length(l.roles)
    + octet_length(l.role_keys_before::text) + 32 * cardinality(l.role_keys_before)`;

/** The largest number that the message can hold. */
const mostTold = sql`4294967295`;
