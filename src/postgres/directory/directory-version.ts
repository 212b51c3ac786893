import sql, { type Sql } from "sql-template-tag";
import type { PlacedChange } from "../../directory/change.ts";
import { changedSince, type DirectoryVersion, eventKeyOf } from "../../directory/version.ts";
import type { Connection } from "../pool/database.ts";
import { firstRow } from "../pool/first-row.ts";
import { named } from "../pool/prepared.ts";
import { openVersion, sealVersion } from "./sealed-version.ts";

/**
 * Throws VERSION_INVALID, or DIRECTORY_CHANGED for the first change that names a thing with an event that isn't in the
 * version. If the project, grant or organization that a thing is in was created since, the thing counts as changed whatever
 * happened to it. So a caller doesn't learn what was in an earlier one with the same id.
 *
 * Changes of assignments and tokens commit side by side, so an event with a lower sequence can become visible later. The
 * snapshot says which transactions were. A later event also has a higher sequence, which still counts if the database was
 * restored from a backup and uses the numbers of lost transactions again. If the version's last event is not there, or its
 * database is another one, it says nothing about any thing. Neither does it if events were archived since: they could be
 * about anything.
 */
export async function requireUnchanged(
  { query }: Connection,
  sealed: string | undefined,
  changes: readonly PlacedChange[],
): Promise<void> {
  if (sealed === undefined) return;
  const row = firstRow(await query<{ key: Buffer }>(sql`select ${key} as key`));
  const version = openVersion(sealed, row.key);
  const [found] = await query<{ is_known: boolean; changed: string | null }>(findChanged(version, changes));
  const index = found?.is_known ? found.changed : changes[0]?.position;
  const change = changes.find(({ position }) => String(position) === String(index));
  if (change !== undefined) throw changedSince(change);
}

/** Tells databases apart, and copies of one in different clusters: these count transactions from another number on. */
const database = sql`(
    select extract(epoch from run_on)::text || '.' || (select system_identifier from pg_control_system())
    from migrations order by id limit 1)`;
/** Read each time, so it is the right one after a restore, too. It must not be logged. */
const key = sql`(select version_key from database_secrets)`;

const lastEvent = sql`
  coalesce((select sequence || ':' || request_id from kept_directory_events order by sequence desc limit 1), '')`;

/**
 * The version that has everything in the snapshot, and what this transaction has changed so far.
 *
 * @param snapshot a snapshot from before anything was read that the caller is shown
 */
export async function readVersion({ query }: Connection, snapshot: string): Promise<string> {
  const row = firstRow(await query<Omit<DirectoryVersion, "snapshot"> & { key: Buffer }>(selectVersion));
  return sealVersion({ ...row, snapshot }, row.key);
}

const selectVersion = named(
  "version of the directory",
  sql`
  select ${database} as database, coalesce(pg_current_xact_id_if_assigned()::text, '') as own,
    ${lastEvent} as "lastEvent", ${key} as key`,
);

/**
 * True for a transaction that had not ended in the version `v`. A higher number than any of this cluster's comes from the
 * one that a backup was made of, so it is older.
 */
function isAfter(transaction: Sql): Sql {
  return sql`(
            ${transaction} < pg_snapshot_xmax(pg_current_snapshot())
            and not pg_visible_in_snapshot(${transaction}, v.snapshot))`;
}

const isLater = isAfter(sql`e.transaction`);

const findChanged = (version: DirectoryVersion, changes: readonly PlacedChange[]) => {
  const keys = changes.map(({ change }) => eventKeyOf(change));
  const [sequence = "", request = ""] = version.lastEvent.split(":");
  return sql`
  with version as (
    select ${version.snapshot}::pg_snapshot as snapshot, nullif(${version.own}::text, '')::xid8 as own,
      coalesce(nullif(${sequence}::text, '')::bigint, 0) as last_event
  ), named as (
    select * from unnest(
      ${changes.map(({ position }) => String(position))}::bigint[], ${keys.map(({ kind }) => kind)}::text[],
      ${keys.map(({ id }) => id)}::text[], ${keys.map(({ within }) => within)}::text[],
      ${keys.map(({ container }) => container?.kind)}::text[], ${keys.map(({ container }) => container?.id)}::text[]
    ) as named (position, kind, id, within, container_kind, container_id)
  )
  select
    ${database} = ${version.database}::text
      and pg_snapshot_xmax(v.snapshot) <= pg_snapshot_xmax(pg_current_snapshot())
      and not exists (select from kept_history k where ${isAfter(sql`k.archived_in`)})
      and (v.last_event = 0 or exists (
        select from directory_events where sequence = v.last_event and request_id::text = ${request}::text)) as is_known,
    (
      select min(n.position) from named n
      where exists (
          select from kept_directory_events e
          where e.kind = n.kind and e.id = n.id and e.within = n.within and e.transaction is distinct from v.own
            and (e.sequence > v.last_event or ${isLater}))
        or exists (
          select from kept_directory_events e
          where e.kind = n.container_kind and e.id = n.container_id and e.within = '' and e.before is null
            and e.transaction is distinct from v.own and (e.sequence > v.last_event or ${isLater}))
        or n.kind = 'authorization' and exists (
          select from kept_events e
          where e.authorization_id = n.id and e.transaction is distinct from v.own
            and ${isLater})) as changed
  from version v`;
};
