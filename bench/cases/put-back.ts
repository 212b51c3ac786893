import type pg from "pg";
import { fillFrom } from "../world/catalog.ts";
import { recountNumbers } from "../world/world.ts";

// Cases that write leave the world as they found it. History cannot be deleted, so this switches the triggers off, and
// counts anew.

/** Everything in the world happened before this day. */
export const worldEnd = "2026-01-01";

/** Puts back what a run that was ended early left behind. */
export async function putBackLeftovers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ kept: boolean; updated: boolean; created: boolean }>(`
    select to_regclass('bench.kept') is not null as kept, to_regclass('bench.saved_roles') is not null as updated, exists (
      select from authorizations where creation_date >= '${worldEnd}') as created`);
  await removeJoiners(client);
  if (rows[0]?.kept) await putBackKept(client);
  if (rows[0]?.updated) await restoreUpdated(client);
  else if (rows[0]?.created) await removeCreated(client);
  for (const table of ["authorizations", "authorization_roles"]) {
    await client.query(`alter table ${table} enable trigger user`);
  }
}

/** Keeps what restoreUpdated needs. */
export async function saveForUpdate(client: pg.Client, ids: string[]): Promise<void> {
  await client.query("drop table if exists bench.saved, bench.saved_roles");
  await client.query("create table bench.saved as select id, change_date from authorizations where id = any($1)", [
    ids,
  ]);
  await client.query(`create table bench.saved_roles as
    select authorization_id, project_id, project_grant_id, role_key from authorization_roles
    where authorization_id in (select id from bench.saved)`);
  await client.query("alter table bench.saved add role_keys text[]");
  await client.query(`
    update bench.saved s set role_keys = a.role_keys from rival.authorizations a where a.id = s.id`);
}

export async function restoreUpdated(client: pg.Client): Promise<void> {
  await client.query(`
    set session_replication_role = replica;
    update authorizations a set change_date = s.change_date from bench.saved s where a.id = s.id;
    update rival.authorizations a set change_date = s.change_date, role_keys = s.role_keys
    from bench.saved s where a.id = s.id;
    delete from authorization_roles where authorization_id in (select id from bench.saved);
    insert into authorization_roles (authorization_id, project_id, project_grant_id, role_key)
    select authorization_id, project_id, project_grant_id, role_key from bench.saved_roles;
    truncate rival.events;
    delete from events where time >= '${worldEnd}';
    drop table bench.saved, bench.saved_roles;
    select restore_change_dates()`);
  await recountNumbers(client);
  await tidy(client);
}

export async function removeCreated(client: pg.Client): Promise<void> {
  await client.query(`
    set session_replication_role = replica;
    delete from authorization_roles
    where authorization_id in (select id from authorizations where creation_date >= '${worldEnd}');
    delete from authorizations where creation_date >= '${worldEnd}';
    delete from rival.authorizations where creation_date >= '${worldEnd}';
    truncate rival.events;
    delete from events where time >= '${worldEnd}';
    select restore_change_dates()`);
  await recountNumbers(client);
  await tidy(client);
}

/** Removes the users that directory changes have added. */
export async function removeJoiners(client: pg.Client): Promise<void> {
  await client.query(`
    set session_replication_role = replica;
    delete from directory_event_places where time >= '${worldEnd}';
    delete from directory_events where time >= '${worldEnd}';
    delete from users where id like 'joiner-%';
    set session_replication_role = origin`);
}

/** Keeps what putBackKept needs after batches of anything about these, and of creates. */
export async function keepForBatches(client: pg.Client, ids: string[]): Promise<void> {
  await client.query("drop table if exists bench.kept, bench.kept_roles");
  await client.query("create table bench.kept as select * from authorizations where id = any($1)", [ids]);
  await client.query(`create table bench.kept_roles as
    select * from authorization_roles where authorization_id in (select id from bench.kept)`);
}

/** May be done again and again, until other things are kept. */
export async function putBackKept(client: pg.Client): Promise<void> {
  await client.query(`
    set session_replication_role = replica;
    create temporary table touched on commit drop as
      select id from bench.kept union select id from authorizations where creation_date >= '${worldEnd}';
    delete from authorization_roles where authorization_id in (select id from touched);
    delete from authorizations where id in (select id from touched)`);
  await fillFrom(client, "bench.kept", "public.authorizations");
  await fillFrom(client, "bench.kept_roles", "public.authorization_roles");
  await client.query(`
    select restore_change_dates();
    truncate events`);
  await recountNumbers(client);
  await tidy(client);
}

async function tidy(client: pg.Client): Promise<void> {
  for (const table of ["authorizations", "authorization_roles", "rival.authorizations"]) {
    await client.query(`vacuum (analyze) ${table}`);
  }
}
