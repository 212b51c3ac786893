import type pg from "pg";
import { recountTotals } from "../world/world.ts";

// Cases that write leave the world as they found it. History cannot be deleted, so this switches the triggers off.

/** Keeps what restoreUpdated needs. */
export async function saveForUpdate(client: pg.Client, ids: string[]): Promise<void> {
  await client.query("drop table if exists bench.saved, bench.saved_roles");
  await client.query("create table bench.saved as select id, change_date from authorizations where id = any($1)", [
    ids,
  ]);
  await client.query(`create table bench.saved_roles as
    select authorization_id, project_id, project_grant_id, role_key from authorization_roles
    where authorization_id in (select id from bench.saved)`);
}

export async function restoreUpdated(client: pg.Client): Promise<void> {
  await client.query(`
    set session_replication_role = replica;
    update authorizations a set change_date = s.change_date from bench.saved s where a.id = s.id;
    update rival.authorizations a set change_date = s.change_date from bench.saved s where a.id = s.id;
    delete from authorization_roles where authorization_id in (select id from bench.saved);
    delete from rival.authorization_roles where authorization_id in (select id from bench.saved);
    insert into authorization_roles (authorization_id, project_id, project_grant_id, role_key)
    select authorization_id, project_id, project_grant_id, role_key from bench.saved_roles;
    insert into rival.authorization_roles (authorization_id, project_id, role_key)
    select authorization_id, project_id, role_key from bench.saved_roles;
    truncate events, rival.events;
    drop table bench.saved, bench.saved_roles`);
  await tidy(client);
}

/** Loaded authorizations have no events: those that have one were created since. */
export async function removeCreated(client: pg.Client): Promise<void> {
  await client.query(`
    set session_replication_role = replica;
    delete from authorization_roles where authorization_id in (select authorization_id from events);
    delete from authorizations where id in (select authorization_id from events);
    truncate events`);
  await recountTotals(client);
  await tidy(client);
}

async function tidy(client: pg.Client): Promise<void> {
  for (const table of ["authorizations", "authorization_roles", "rival.authorizations", "rival.authorization_roles"]) {
    await client.query(`vacuum (analyze) ${table}`);
  }
}
