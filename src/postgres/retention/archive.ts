import type pg from "pg";
import sql from "sql-template-tag";
import { firstRow } from "../pool/first-row.ts";

/** A sequence of each history. */
export type Cut = { readonly event: string; readonly directoryEvent: string };

/**
 * What an archive needs: to be the only one, for which its session holds a lock until it ends; the right to delete from the
 * tables of the histories; and a day, such as `2026-01-01`, that has begun in UTC. Throws if there is no such day.
 */
export async function beginArchive(client: pg.ClientBase, day: string) {
  const { rows } = await client.query<{ isAlone: boolean; isOwner: boolean; hasBegun: boolean }>(sql`
    select pg_try_advisory_lock(720638143) as "isAlone", ${day}::date <= (now() at time zone 'UTC')::date as "hasBegun",
      (select bool_and(pg_has_role(relowner, 'usage')) from pg_class
        where oid = any('{events, directory_events, directory_event_places}'::regclass[])) as "isOwner"`);
  return firstRow(rows);
}

/**
 * Finds where to cut: behind the last event before the first one from that day or later. Dates in the future, which imports
 * can give, don't count. Call it only for what is final: no transaction may still append below the sequences that were
 * taken before.
 */
export async function findCut(client: pg.ClientBase, day: string, taken: Cut): Promise<Cut> {
  const first = (table: string, kept: string, past: string) => `
    least(${past}::bigint + 1, (
      select sequence from ${table}
      where sequence >= ${kept} and time >= $1::date::timestamp at time zone 'UTC' and time <= now()
      order by sequence limit 1))::text`;
  const { rows } = await client.query<Cut>(
    `select ${first("events", "first_event", "$2")} as event,
      ${first("directory_events", "first_directory_event", "$3")} as "directoryEvent"
    from kept_history`,
    [day, taken.event, taken.directoryEvent],
  );
  return firstRow(rows);
}

/** The highest sequences that were taken so far, whether or not their transactions have ended. */
export async function takenSequences(client: pg.ClientBase): Promise<Cut> {
  const last = (table: string) => `coalesce(pg_sequence_last_value(pg_get_serial_sequence('${table}', 'sequence')), 0)`;
  const { rows } = await client.query<Cut>(
    `select ${last("events")}::text as event, ${last("directory_events")}::text as "directoryEvent"`,
  );
  return firstRow(rows);
}

/** How many events are kept and before the cut. */
export async function sizeBefore(client: pg.ClientBase, { event, directoryEvent }: Cut) {
  const { rows } = await client.query<{ events: number; directoryEvents: number }>(sql`
    select (select count(*) from kept_events where sequence < ${event}::bigint)::float8 as events,
      (select count(*) from kept_directory_events where sequence < ${directoryEvent}::bigint)::float8
        as "directoryEvents"`);
  return firstRow(rows);
}

/** From now on, events before the cut are not kept: no statement shows them. They must be in a file that is safe on disk. */
export async function stopKeeping(client: pg.ClientBase, { event, directoryEvent }: Cut): Promise<void> {
  await client.query(sql`
    update kept_history set archived_in = pg_current_xact_id(),
      (last_archived, last_archived_system) = (
        select greatest(
          max(e.transaction), case when last_archived_system = system_identifier then last_archived end), system_identifier
        from pg_control_system() left join kept_events e
          on e.sequence < ${event}::bigint and e.system = system_identifier
        group by system_identifier),
      first_event = greatest(first_event, ${event}::bigint),
      first_directory_event = greatest(first_directory_event, ${directoryEvent}::bigint)`);
}

const atOnce = 10_000;

/** Deletes some of the events that are not kept, and returns how many. Changes and readers don't wait for it. */
export async function deleteSome(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ deleted: number }>(sql`select delete_archived(${atOnce})::integer as deleted`);
  return firstRow(rows).deleted;
}
