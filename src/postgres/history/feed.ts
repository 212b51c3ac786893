import sql, { join, type Sql } from "sql-template-tag";
import type { AuthorizationFeed, EventKey, FeedPosition, Moment, Span } from "../../authorization/feed.ts";
import { Refusal } from "../../authorization/refusal.ts";
import { pageStatement } from "../page/page.ts";
import { withinBytes } from "../page/within-bytes.ts";
import type { Database } from "../pool/database.ts";
import { firstRow } from "../pool/first-row.ts";
import { namedByText } from "../pool/prepared.ts";
import { assignmentEvents } from "./assignment-events.ts";
import { conditionsOn, inTime } from "./history-table.ts";
import { type ListedEventRow, selectListedEvents, toNamedEvent } from "./listed-events.ts";
import { narrow } from "./narrowing.ts";

/** How many events are read at once, and about how many bytes they may have. */
const most = 1_000;
const mostBytes = 1_024 * 1_024;

/** How many sequences one statement goes through, so that streams that see few events take turns. */
const sequencesAtOnce = 20_000n;

/** @param database the primary: on a standby, snapshots don't say which transactions are running */
export function postgresFeed(database: Database): AuthorizationFeed {
  return {
    async look(since, signal) {
      const row = firstRow(await database.query<Found & Looked>(since ? selectNew(since) : selectNow, signal));
      const { snapshot, source, first, last, newest, last_archived: archived, events } = row;
      const [, , running = ""] = snapshot.split(":");
      if (since !== undefined) requireKnown({ seen: since }, row);
      let next = since?.next ?? 0n;
      for (const last of [newest, archived]) if (last !== null && BigInt(last) >= next) next = BigInt(last) + 1n;
      const isOpen = running === "" ? [] : running.split(",").map(BigInt);
      return {
        moment: { source, next, running: isOpen.filter((one) => one < next) },
        span: toSpan(first, last),
        events: events.length > most ? undefined : events,
      };
    },

    async span(since, until, signal) {
      const row = firstRow(await database.query<Found & Ends>(selectSpan(since, until), signal));
      if (since !== undefined) requireKnown({ seen: since }, row);
      return toSpan(row.first, row.last);
    },

    async read(caller, filters, position, signal) {
      const { seen, sending } = position;
      const { until, after, last } = sending;
      const end = after + sequencesAtOnce < last ? after + sequencesAtOnce : last;
      const narrowing = narrow(filters);
      const matched = narrowing && assignmentEvents.seenBy(caller, narrowing);
      const rest = narrowing && [...inTime(narrowing), ...conditionsOn(assignmentEvents, narrowing)];
      const conditions = matched && rest ? [matched.isSeen, ...rest] : [sql`false`];
      const candidates = sql`candidates as (
        select e.sequence as id from kept_events e
        where e.sequence > ${after}::bigint and e.sequence <= ${end}::bigint
          and ${join([...becameVisible(seen, until), ...conditions], " and ")}
        order by e.sequence limit ${most + 1})`;
      const page = pageStatement(
        {
          tables: [...(matched?.tables ?? []), candidates],
          order: sql`id`,
          total: sql`0`,
          listed: (ids) => withinBytes(selectListedEvents(caller, ids), sql`octet_length(l::text)`, mostBytes),
        },
        { offset: 0n, limit: most, skipTotal: true },
      );
      const statement = sql`select found.*, page.* from (${selectFound}) found cross join (${page}) page`;
      // To plan it takes longer than to read few events, for which every plan is good.
      const isSmall = seen !== undefined && last - after <= most;
      const rows = await database.query<Read>(isSmall ? namedByText(statement) : statement, signal);
      const found = firstRow(rows);
      requireKnown(position, found);
      const events = rows.flatMap((row) => (row.position === null ? [] : [toNamedEvent(row)]));
      const isAll = events.length === found.ranked;
      const reached = isAll ? end : BigInt(events.at(-1)?.sequence ?? after);
      return {
        events,
        position: isAll && end === last ? { seen: until } : { seen, sending: { until, after: reached, last } },
      };
    },
  };
}

/** Where a statement ran, and what is archived there. */
type Found = { source: string; next: string; first_event: string; last_archived: string | null };
type Ends = { first: string | null; last: string | null };
type Looked = Ends & { snapshot: string; newest: string | null; events: EventKey[] };
type Read = Found & ListedEventRow & { ranked: number; position: unknown };

/** One digest, because only whether it is the same matters. What was archived in another cluster, everyone has seen. */
const selectFound = sql`
  select
    md5(concat_ws(' ', system_identifier, d.oid, current_schema(), left(pg_walfile_name(pg_current_wal_flush_lsn()), 8)))
      as source,
    pg_snapshot_xmax(pg_current_snapshot())::text as next,
    k.first_event, case when k.last_archived_system = system_identifier then k.last_archived end::text as last_archived
  from pg_control_system(), pg_database d, kept_history k
  where d.datname = current_database()`;

const own = sql`e.system = (select system_identifier from pg_control_system())`;

/** Crashes lose no more transactions than that. Without it, an index would be read in vain where there are no recent events. */
const mostLost = 1_000_000;

const selectNow = sql`
  select
    found.*, pg_current_snapshot()::text as snapshot, null as first, null as last, '{}'::json[] as events,
    coalesce((
      select max(e.transaction) from events e
      where e.transaction >= durable.last and e.transaction < next::xid8 and ${own}), durable.last)::text as newest
  from (${selectFound}) found
  cross join lateral (select greatest(next::bigint - ${mostLost}::bigint, 0)::text::xid8 as last) durable`;

const selectNew = (since: Moment) => sql`
  with ended as materialized (${endedSince(since)}), appended as materialized (
    select e.* from ended t
    cross join lateral (
      select e.sequence, e.transaction from kept_events e
      where e.transaction >= t.first::text::xid8 and e.transaction <= t.last::text::xid8 and ${own} offset 0) e)
  select found.*, pg_current_snapshot()::text as snapshot, span.*, array(
    select json_build_object(
      'type', e.type, 'authorizationId', e.authorization_id, 'userId', e.user_id, 'projectId', e.project_id,
      'organizationId', e.organization_id, 'projectGrantId', e.project_grant_id, 'actorId', e.actor_id)
    from events e
    where e.sequence = any(array(select sequence from appended order by sequence limit ${most + 1}))
    order by e.sequence) as events
  from (${selectFound}) found
  cross join (
    select min(sequence) as first, max(sequence) as last, max(transaction)::text as newest from appended) span`;

/**
 * The transactions that have ended since a moment, from a first to a last one: those that were running, and all between those
 * that are running now. So no event is read again and again while an import is open, and none of another cluster's that has
 * a higher number.
 */
const endedSince = ({ next, running }: Moment) => sql`
  select id as first, id as last from unnest(${running}::bigint[]) id
  where pg_visible_in_snapshot(id::text::xid8, pg_current_snapshot())
  union all
  select lag(id, 1, ${next}::bigint - 1) over (order by id) + 1, id - 1
  from (
    select id::text::bigint from pg_snapshot_xip(pg_current_snapshot()) id
    union all
    select pg_snapshot_xmax(pg_current_snapshot())::text::bigint) open
  where id >= ${next}::bigint`;

const selectSpan = (since: Moment | undefined, until: Moment) => sql`
  select found.*, span.*
  from (${selectFound}) found
  cross join (
    select min(e.sequence) as first, max(e.sequence) as last from kept_events e
    where ${join([sql`true`, ...becameVisible(since, until)], " and ")}) span`;

/**
 * The conditions on an event `e` that became visible between two moments. Events of another cluster were restored with the
 * database, so they were visible before every moment of this one.
 */
function becameVisible(since: Moment | undefined, until: Moment | undefined): Sql[] {
  const conditions: Sql[] = [];
  if (since !== undefined) {
    const { next, running } = since;
    conditions.push(own, sql`(e.transaction >= ${next}::xid8 or e.transaction = any(${running}::xid8[]))`);
  }
  if (until !== undefined) {
    const { next, running } = until;
    const shown = sql`(e.transaction < ${next}::xid8 and e.transaction <> all(${running}::xid8[]))`;
    conditions.push(since === undefined ? sql`(not ${own} or ${shown})` : shown);
  }
  return conditions;
}

/** Throws RESUME_TOKEN_EXPIRED if the position is of another source, or events were archived that were not sent. */
function requireKnown({ seen, sending }: FeedPosition, found: Found): void {
  const isFrom = (moment: Moment | undefined) =>
    moment === undefined || (moment.source === found.source && moment.next <= BigInt(found.next));
  const last = found.last_archived === null ? undefined : BigInt(found.last_archived);
  const isBehind = (moment: Moment | undefined) =>
    moment !== undefined && (last === undefined || (last < moment.next && moment.running.every((one) => one > last)));
  const wasSent = sending !== undefined && isBehind(sending.until) && sending.after >= BigInt(found.first_event) - 1n;
  if (isFrom(seen) && isFrom(sending?.until) && (isBehind(seen) || wasSent)) return;
  const why = "events were archived before they were sent, or this is another database or timeline";
  throw new Refusal("RESUME_TOKEN_EXPIRED", `the stream can't be continued: ${why}; list again, and watch from now on`);
}

function toSpan(first: string | null, last: string | null): Span | undefined {
  return first === null || last === null ? undefined : { first: BigInt(first), last: BigInt(last) };
}
