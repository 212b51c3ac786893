import type pg from "pg";
import type { Caller } from "./caller.ts";
import { toRfc3339 } from "./dates.ts";
import { prepared } from "./prepared.ts";
import type { Outcome } from "./update.ts";
import { visibility } from "./visibility.ts";

/** Deletes an authorization: lock, rights, row and event, in one statement. */
export async function deleteAuthorization(pool: pg.Pool, caller: Caller, { id }: { id: string }): Promise<Outcome> {
  const read = visibility(caller, "read", 2);
  const write = visibility(caller, "write", 2 + read.values.length);
  const { rows } = await pool.query(
    prepared(remove(read.condition, write.condition), [id, caller.userId, ...read.values, ...write.values]),
  );
  const row = rows[0];
  if (row === undefined) return { status: 404, body: { error: "not found" } };
  if (!row.may_write) return { status: 403, body: { error: "user.grant.write is needed" } };
  return { status: 200, body: { deletionDate: toRfc3339(row.deleted) } };
}

const remove = (read: string, write: string) => `
  with locked as materialized (
    select a.*, ${write} as may_write from rival.authorizations a
    where a.id = $1 and ${read}
    for update
  ), deleted as (
    delete from rival.authorizations a using locked l where a.id = l.id and l.may_write
    returning a.*
  ), event as (
    insert into rival.events (authorization_id, type, time, actor_id, payload)
    select id, 'user.grant.removed', clock_timestamp(), $2, jsonb_build_object(
      'userId', user_id, 'projectId', project_id, 'organizationId', organization_id,
      'projectGrantId', project_grant_id, 'roleKeys', role_keys, 'state', state)
    from deleted
    returning time
  )
  select may_write, (select time from event) as deleted from locked`;
