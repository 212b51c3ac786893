import sql, { type Sql } from "sql-template-tag";
import type { Caller } from "../../authorization/permissions.ts";
import type { DirectoryEvent, DirectoryEventPage, DirectoryEventQuery } from "../../directory/history.ts";
import type { Database } from "../database/database.ts";
import { formatInstant } from "../database/instants.ts";
import { namedByText, type Statement } from "../database/prepared.ts";
import { orderBy, pageStatement, rowsFor } from "../page/page.ts";
import { countOfSources, topOfSources } from "../page/top-of-sources.ts";
import { withinBytes } from "../page/within-bytes.ts";
import { hiddenTo } from "../seen/places.ts";
import { toUser, type UserFields, userFields } from "../seen/user-fields.ts";
import { type DirectoryNarrowing, narrowDirectory } from "./directory-narrowing.ts";
import { directorySources } from "./directory-sources.ts";
import { directoryVisibility } from "./directory-visibility.ts";
import { isInTime } from "./narrowing.ts";
import { namesOf, type RecentMonths, rangeSince, readRecentPage, type Since } from "./recent-months.ts";

/** Reads the total and the page in one statement, so both come from the same snapshot. */
export async function listDirectoryEvents(
  database: Database,
  recentMonths: RecentMonths,
  caller: Caller,
  query: DirectoryEventQuery,
  signal: AbortSignal,
): Promise<DirectoryEventPage> {
  const narrowing = narrowDirectory(query.filters);
  if (narrowing === undefined) return { total: 0, more: false, events: [] };
  // The condition that leaves out earlier months would be one on an index (keptInTime).
  const recent = isInTime(narrowing) ? [] : await recentMonths("directory_events", signal);
  const statement = (since?: Since) => statementFor(caller, query, narrowing, since);
  const { rows, total, more } = await readRecentPage<Row>(database, query, recent, statement, signal);
  return { total, more, events: rows.map(toEvent) };
}

/** Only the statement, for tests of its shapes and plans; undefined if nothing can match. */
export function directoryEventStatement(
  caller: Caller,
  query: DirectoryEventQuery,
  since?: Since,
): Statement | Sql | undefined {
  const narrowing = narrowDirectory(query.filters);
  return narrowing && statementFor(caller, query, narrowing, since);
}

function statementFor(
  caller: Caller,
  query: DirectoryEventQuery,
  narrowing: DirectoryNarrowing,
  since?: Since,
): Statement | Sql {
  const { ascending, after } = query;
  const visibility = directoryVisibility(caller, isInTime(narrowing));
  const how = query.skipTotal ? "page" : since === undefined ? "pageAndTotal" : "pageBesideTotal";
  const { tables, sources } = directorySources(visibility, narrowing, how);
  const end = after && { key: sql`${formatInstant(after.time)}::timestamptz`, id: sql`${after.sequence}::bigint` };
  const listing = {
    shared: tables,
    tables: [
      ...topOfSources(sources, { ascending, after: end }, rowsFor(query), visibility.size),
      sql`candidates as (select key, id from walked)`,
    ],
    order: orderBy({ key: sql`key`, id: sql`id` }, ascending),
    total: sql`least(${countOfSources(sources)}, ${mostTold})::float8`,
    listed,
  };
  const statement = pageStatement(listing, query, since && rangeSince(since));
  // The plan is the same for all users and things. For other filters, it depends on how many events have their
  // values.
  const { userId, id, ...others } = narrowing;
  return Object.keys(others).length === 0 ? namedByText(statement, namesOf(since)) : statement;
}

/** The largest number that the message can hold. */
const mostTold = sql`4294967295`;

/**
 * Selects what a list shows of events, with their position. What was removed since is another user today, even if it has
 * the same id.
 *
 * @param page selects the events' sequences as `id`, in order
 */
function listed(page: Sql): Sql {
  const hidden = hiddenTo("user", sql`e.actor_id`, "last_directory_event");
  const events = sql`
    select
      page.position, e.bytes, e.sequence, e.time, e.kind, e.request_id, e.reason, e.before, e.after,
      e.actor_id, ${userFields(sql`actor`, sql`true`)} as actor_fields
    from unnest(array(select id from (${page}) page)) with ordinality as page (sequence, position)
    cross join lateral (select * from directory_events where sequence = page.sequence limit 1) e
    left join lateral (
      select * from users where id = e.actor_id and e.sequence > ${hidden} limit 1) actor on true`;
  return withinBytes(events, sql`l.bytes`);
}

type Row = Pick<DirectoryEvent, "sequence" | "time" | "kind" | "reason" | "before" | "after"> & {
  request_id: string;
  /** Null for the command line. */
  actor_id: string | null;
  actor_fields: UserFields | null;
};

function toEvent({ sequence, time, kind, reason, before, after, ...row }: Row): DirectoryEvent {
  const actor = row.actor_id === null ? null : toUser(row.actor_id, row.actor_fields);
  return { sequence, time, kind, actor, requestId: row.request_id, reason, before, after };
}
