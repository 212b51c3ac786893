import type pg from "pg";
import type { Caller } from "./caller.ts";
import { toRfc3339 } from "./dates.ts";
import { prepared } from "./prepared.ts";
import { visibility } from "./visibility.ts";

export type Outcome =
  | { status: 200; body: object }
  | { status: 400 | 403 | 404 | 409; body: { error: string; id?: string } };

/** Replaces the roles of an authorization: lock, rights, roles, change date and event, in one statement. */
export async function updateAuthorization(
  pool: pg.Pool,
  caller: Caller,
  { id, roleKeys }: { id: string; roleKeys: string[] },
): Promise<Outcome> {
  const keys = roleKeys.toSorted(compare);
  const read = visibility(caller, "read", 3);
  const write = visibility(caller, "write", 3 + read.values.length);
  const { rows } = await pool.query(
    prepared(update(read.condition, write.condition), [id, keys, caller.userId, ...read.values, ...write.values]),
  );
  const row = rows[0];
  if (row === undefined) return { status: 404, body: { error: "not found" } };
  if (!row.may_write) return { status: 403, body: { error: "user.grant.write is needed" } };
  if (row.changed !== null) return { status: 200, body: { changeDate: toRfc3339(row.changed) } };
  if (row.same) return { status: 200, body: { changeDate: toRfc3339(row.change_date) } };
  return { status: 400, body: { error: "not a role here" } };
}

/** By code point, as the rows are sorted. */
export function compare(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

const update = (read: string, write: string) => `
  with locked as materialized (
    select a.*, ${write} as may_write, a.role_keys = $2::text[] as same
    from rival.authorizations a
    where a.id = $1 and ${read}
    for update
  ), owned as materialized (
    select from locked l join project_roles r on r.project_id = l.project_id and r.key = any($2)
    where l.project_grant_id is null
    for key share of r
  ), granted as materialized (
    select from locked l join project_grant_roles r on r.project_grant_id = l.project_grant_id and r.role_key = any($2)
    for key share of r
  ), changed as (
    update rival.authorizations a
    set role_keys = $2, change_date = greatest(clock_timestamp(), a.change_date + interval '1 microsecond')
    from locked l
    where a.id = l.id and l.may_write and not l.same
      and (select count(*) from owned) + (select count(*) from granted) = cardinality($2)
    returning a.*
  ), event as (
    insert into rival.events (authorization_id, type, time, actor_id, payload)
    select id, 'user.grant.changed', change_date, $3, jsonb_build_object(
      'userId', user_id, 'projectId', project_id, 'organizationId', organization_id,
      'projectGrantId', project_grant_id, 'roleKeys', role_keys, 'state', state)
    from changed
  )
  select may_write, same, change_date, (select change_date from changed) as changed from locked`;
