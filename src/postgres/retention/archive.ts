import type pg from "pg";
import sql from "sql-template-tag";

/** A month of the histories, as `2026-01`, and its sequences (migrations/0004_events.sql). */
export type Month = { readonly name: string; readonly from: string; readonly before: string };

/** How many events of a month there are. */
export type MonthSize = { readonly events: number; readonly directoryEvents: number };

/** Parts come before what they are parts of. */
const histories = ["directory_event_places", "directory_events", "events"] as const;

/** One archive runs at a time. Returns false if there is another one. The lock is held until the session ends. */
export async function lockArchive(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>("select pg_try_advisory_lock(720638143) as locked");
  return rows[0]?.locked ?? false;
}

/** Whether the role may alter the tables of the histories. */
export async function isOwner(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ is_owner: boolean }>(
    sql`select bool_and(pg_has_role(relowner, 'usage')) as is_owner from pg_class
      where oid = any(${histories}::text[]::regclass[])`,
  );
  return rows[0]?.is_owner ?? false;
}

/** Whether a month, such as `2026-01`, is over. */
export async function isPast(client: pg.ClientBase, month: string): Promise<boolean> {
  const { rows } = await client.query<{ is_past: boolean }>(
    sql`select ${month}::text < to_char(now() at time zone 'UTC', 'YYYY-MM') as is_past`,
  );
  return rows[0]?.is_past ?? false;
}

/** The months that are kept and before another one, oldest first. */
export async function monthsBefore(client: pg.ClientBase, month: string): Promise<Month[]> {
  return (await findMonths(client)).filter(({ name, isKept, isAttached }) => isAttached && isKept && name < month);
}

export async function sizeOf(client: pg.ClientBase, { from, before }: Month): Promise<MonthSize> {
  const { rows } = await client.query<MonthSize>(`
    select (select count(*) from events where sequence >= ${from} and sequence < ${before})::float8 as events,
      (select count(*) from directory_events where sequence >= ${from} and sequence < ${before})::float8
        as "directoryEvents"`);
  return rows[0] ?? { events: 0, directoryEvents: 0 };
}

/**
 * Resolves once no transaction can still append to a month that is over. Every change has a transaction id before it takes
 * a sequence, so it is enough that all transactions with an earlier id than a new one have ended. What a snapshot says is
 * its end would be too early: transactions that run may have later ids.
 *
 * @param rest after that, resolves when to look again
 */
export async function untilFinal(client: pg.ClientBase, rest: () => Promise<unknown>): Promise<void> {
  const { rows: now } = await client.query<{ id: string }>("select pg_current_xact_id()::text as id");
  const isOver = sql`select pg_snapshot_xmin(pg_current_snapshot()) > ${now[0]?.id}::xid8 as is_over`;
  while (!(await client.query<{ is_over: boolean }>(isOver)).rows[0]?.is_over) await rest();
}

/**
 * From now on, the month is not kept: all statements leave its events out, and the numbers don't count them. Both change
 * in one transaction, so that rows and totals agree in every snapshot. No change waits for it, because it writes to a slot
 * of its own.
 */
export async function stopKeeping(client: pg.ClientBase, { from, before }: Month): Promise<void> {
  await client.query("begin isolation level read committed");
  await client.query(`
    update kept_history set first_sequence = ${before}, archived_in = pg_current_xact_id()
    where first_sequence < ${before}`);
  await client.query(`
    insert into numbers as n (kind, organization_id, project_id, key, project_grant_id, slot, number, magnitude)
    select 'event', coalesce(organization_id, ''), coalesce(project_id, ''), type, coalesce(project_grant_id, ''), -1,
      -count(*), 0
    from events
    where sequence >= ${from} and sequence < ${before}
    group by grouping sets ((type), (type, organization_id), (type, organization_id, project_id, project_grant_id))
    on conflict (kind, organization_id, project_id, key, project_grant_id, slot)
    do update set number = n.number + excluded.number`);
  await client.query("commit");
}

/**
 * Removes all partitions that are not kept, whatever an earlier call left of them. Readers and writers continue. It waits for
 * transactions that have read the histories, because they may need the partitions.
 */
export async function dropArchived(client: pg.ClientBase): Promise<string[]> {
  const dropped: string[] = [];
  for (const history of histories) {
    for (const month of (await findMonths(client, history)).filter(({ isKept }) => !isKept)) {
      const table = `${history}_${month.name.replace("-", "_")}`;
      if (month.isAttached) {
        const how = month.isPending ? "finalize" : "concurrently";
        await client.query(`alter table ${history} detach partition ${table} ${how}`);
      }
      await client.query(`drop table ${table}`);
      dropped.push(table);
    }
  }
  return dropped;
}

type FoundMonth = Month & {
  readonly isKept: boolean;
  readonly isAttached: boolean;
  /** Whether an earlier call began to detach it. */
  readonly isPending: boolean;
};

/** The months that have a table, oldest first. */
async function findMonths(client: pg.ClientBase, history?: string): Promise<FoundMonth[]> {
  const { rows } = await client.query<FoundMonth>(sql`
    select m.name, min(m.first)::text as from, min(m.past)::text as before,
      bool_or(m.first >= k.first_sequence) as "isKept", bool_or(i.inhrelid is not null) as "isAttached",
      coalesce(bool_or(i.inhdetachpending), false) as "isPending"
    from unnest(${history === undefined ? histories : [history]}::text[]) h (name)
    join pg_class whole on whole.oid = h.name::regclass
    join pg_class c on c.relnamespace = whole.relnamespace and c.relkind = 'r'
      and c.relname ~ ('^' || h.name || '_\\d{4}_\\d{2}$')
    left join pg_inherits i on i.inhrelid = c.oid
    cross join lateral (select to_date(right(c.relname, 7), 'YYYY_MM') as begin) b
    cross join lateral (
      select to_char(b.begin, 'YYYY-MM') as name, first_sequence(b.begin::timestamp at time zone 'UTC') as first,
        first_sequence((b.begin + interval '1 month') at time zone 'UTC') as past) m
    cross join kept_history k
    group by m.name
    order by m.name`);
  return rows;
}
