// The events for bench/retention.ts.

import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type pg from "pg";

/** The same schema, but its histories have no partitions. */
export async function withoutPartitions(): Promise<string> {
  const folder = path.join(import.meta.dirname, "../migrations");
  const copy = await mkdtemp(path.join(tmpdir(), "bench-retention-"));
  for (const file of await readdir(folder)) {
    const text = await readFile(path.join(folder, file), "utf8");
    await writeFile(
      path.join(copy, file),
      text
        .replaceAll(") partition by range (sequence);", ");")
        .replace("select add_months();\nselect begin_month();", ""),
    );
  }
  return copy;
}

/** Months are spread evenly up to this one, each assignment has five events, and each user about 60. */
export async function fill(client: pg.Client, months: number, rows: number): Promise<void> {
  if (months > 0) {
    await client.query(`
      select add_month(history, (date_trunc('month', now() at time zone 'UTC') - n * interval '1 month')::date)
      from generate_series(0, ${months - 1}) n
      cross join unnest(array['events', 'directory_events', 'directory_event_places']) as history`);
  }
  await client.query("alter table events disable trigger events_keep_numbers");
  await client.query(`
    insert into events (
      sequence, authorization_id, type, time, actor_id, user_id, project_id, organization_id, project_grant_id, role_keys,
      state, creation_date, role_keys_before, state_before, creation_date_before, request_id)
    overriding system value
    select first_sequence(at) + n, 'a' || assignment, case when n % 10 < 8 then 'user.grant.changed' else 'user.grant.added' end,
      at, 'u' || n % 101, 'u' || (hashint8(assignment) & 16383), 'p' || n % 500, 'o' || n % 50, '', '{r1,r2}', 'active', at,
      case when n % 10 < 8 then '{r1}'::text[] else '{}' end,
      case when n % 10 < 8 then 'active'::authorization_state end, case when n % 10 < 8 then at end, gen_random_uuid()
    from (
      select n, n * 7919 % (${rows} / 5) as assignment,
        now() - (${rows} - n) * ((now() - (date_trunc('month', now()) - ${Math.max(months, 1) - 1} * interval '1 month')) / ${rows}) as at
      from generate_series(1, ${rows}::bigint) n) n`);
  await client.query("alter table events enable trigger events_keep_numbers");
  await client.query(`
    with added as (
      insert into directory_events (sequence, time, kind, id, user_id, actor_id, request_id, before, after)
      overriding system value
      select sequence, time, case when n % 10 < 6 then 'user' when n % 10 < 8 then 'project' else 'administrator' end,
        't' || n % (${rows} / 100), case when n % 10 >= 8 then user_id end, actor_id, gen_random_uuid(), null,
        json_build_object('name', 'thing ' || n)
      from (select *, row_number() over (order by sequence) as n from events where sequence % 20 = 0) n
      returning sequence, time)
    insert into directory_event_places (kind, id, time, sequence)
    select 'organization', 'o' || (hashint8(sequence) & 15), time, sequence from added`);
  await client.query(
    "select setval(pg_get_serial_sequence('directory_events', 'sequence'), (select max(sequence) from directory_events))",
  );
  await client.query("select setval(pg_get_serial_sequence('events', 'sequence'), (select max(sequence) from events))");
  await client.query("select recount_numbers()");
  // The first look notices months that are over, and the second one how late their events are.
  for (let looks = 0; looks < 2; looks += 1) await client.query("select look_back()");
  await client.query("vacuum analyze");
}
