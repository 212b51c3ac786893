import type pg from "pg";
import type { Caller } from "./caller.ts";
import { toRfc3339 } from "./dates.ts";
import { prepared } from "./prepared.ts";
import { mayWrite, visibility } from "./visibility.ts";

export type Outcome =
  | { status: 200; body: { changeDate: string } }
  | { status: 400 | 403 | 404; body: { error: string } };

/** Replaces the roles of an authorization: lock, rights, role rows, change date and event, in one transaction. */
export async function updateAuthorization(
  pool: pg.Pool,
  caller: Caller,
  { id, roleKeys }: { id: string; roleKeys: string[] },
): Promise<Outcome> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const outcome = await replaceRoles(client, caller, id, roleKeys);
    await client.query(outcome.status === 200 ? "commit" : "rollback");
    return outcome;
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
}

async function replaceRoles(client: pg.PoolClient, caller: Caller, id: string, keys: string[]): Promise<Outcome> {
  const { condition, values } = visibility(caller, "read");
  const locked = await client.query(prepared(lockSeen(condition, values.length), [...values, id]));
  const row = locked.rows[0];
  if (row === undefined) return { status: 404, body: { error: "not found" } };
  if (!mayWrite(caller, row)) return { status: 403, body: { error: "user.grant.write is needed" } };
  const found = await client.query(
    prepared(selectKeys(row.project_grant_id === null), [id, row.project_grant_id ?? row.project_id, keys]),
  );
  const { held, assignable } = found.rows[0];
  if (held.length === keys.length && keys.every((key) => held.includes(key))) {
    return { status: 200, body: { changeDate: toRfc3339(row.change_date) } };
  }
  if (assignable < keys.length) return { status: 400, body: { error: "not a role here" } };
  const payload = { ...row, change_date: undefined, roleKeys: keys };
  const replaced = await client.query(prepared(replace, [id, keys, caller.userId, payload]));
  return { status: 200, body: { changeDate: toRfc3339(replaced.rows[0].time) } };
}

const lockSeen = (condition: string, given: number) => `
  select user_id, organization_id, project_id, project_grant_id, state, change_date
  from rival.authorizations a
  where ${condition} and a.id = $${given + 1}
  for update`;

/** The keys it holds, and how many of the wanted ones can be assigned; those are locked against removal. */
const selectKeys = (owned: boolean) => `
  with assignable as (
    select from ${owned ? "project_roles" : "project_grant_roles"}
    where ${owned ? "project_id" : "project_grant_id"} = $2 and ${owned ? "key" : "role_key"} = any($3)
    for key share
  )
  select array(select role_key from rival.authorization_roles where authorization_id = $1) as held,
    (select count(*)::integer from assignable) as assignable`;

const replace = `
  with changed as (
    update rival.authorizations
    set change_date = greatest(clock_timestamp(), change_date + interval '1 microsecond')
    where id = $1
    returning id, project_id, change_date
  ), dropped as (
    delete from rival.authorization_roles where authorization_id = $1 and role_key <> all($2)
  ), added as (
    insert into rival.authorization_roles (authorization_id, project_id, role_key)
    select id, project_id, key from changed cross join unnest($2::text[]) key
    on conflict do nothing
  )
  insert into rival.events (authorization_id, type, time, actor_id, payload)
  select id, 'user.grant.changed', change_date, $3, $4::jsonb from changed
  returning time`;
