import type pg from "pg";
import { v7 as newId } from "uuid";
import type { Caller } from "./caller.ts";
import { toRfc3339 } from "./dates.ts";
import { prepared } from "./prepared.ts";
import { compare, type Outcome } from "./update.ts";
import { visibility } from "./visibility.ts";

export type CreateRequest = { userId: string; projectId: string; organizationId: string; roleKeys?: string[] };

/** Creates an authorization: rights, user, project and roles, each locked against removal, and the event, in one statement. */
export async function createAuthorization(pool: pg.Pool, caller: Caller, request: CreateRequest): Promise<Outcome> {
  const { userId, projectId, organizationId, roleKeys = [] } = request;
  const id = newId();
  const { condition, values } = visibility(caller, "write", 6);
  const { rows } = await pool.query(
    prepared(create(condition), [
      ...[id, userId, projectId, organizationId, roleKeys.toSorted(compare), caller.userId],
      ...values,
    ]),
  );
  const { may_write, user_found, place_found, roles_found, created, existing } = rows[0];
  if (created !== null) return { status: 200, body: { id, creationDate: toRfc3339(created) } };
  if (!may_write) return { status: 403, body: { error: "user.grant.write is needed" } };
  if (!user_found) return { status: 400, body: { error: "there is no such user" } };
  if (!place_found) return { status: 400, body: { error: "the project is not granted to the organization" } };
  if (!roles_found) return { status: 400, body: { error: "not a role here" } };
  return { status: 409, body: { error: "it exists", id: existing } };
}

const create = (write: string) => `
  with place as materialized (
    select p.id as project_id, null::text as project_grant_id from projects p
    where p.id = $3 and p.organization_id = $4
    for key share
  ), grant_place as materialized (
    select g.project_id, g.id as project_grant_id from project_grants g
    where g.project_id = $3 and g.organization_id = $4
    for key share
  ), wanted as materialized (
    select $1::text as id, $2::text as user_id, $3::text as project_id, $4::text as organization_id,
      project_grant_id, $5::text[] as role_keys
    from (select * from place union all select * from grant_place) places
  ), person as materialized (
    select from rival.users where id = $2 for key share
  ), owned as materialized (
    select from place p join project_roles r on r.project_id = p.project_id and r.key = any($5)
    for key share of r
  ), granted as materialized (
    select from grant_place p join project_grant_roles r
      on r.project_grant_id = p.project_grant_id and r.role_key = any($5)
    for key share of r
  ), facts as materialized (
    select
      exists (select from (select $4::text as organization_id, $3::text as project_id,
          (select project_grant_id from wanted) as project_grant_id) a
        where ${write}) as may_write,
      exists (select from person) as user_found,
      exists (select from wanted) as place_found,
      (select count(*) from owned) + (select count(*) from granted) = cardinality($5) as roles_found
  ), created as (
    insert into rival.authorizations (id, user_id, project_id, organization_id, project_grant_id, role_keys)
    select w.id, w.user_id, w.project_id, w.organization_id, w.project_grant_id, w.role_keys
    from wanted w, facts f
    where f.may_write and f.user_found and f.roles_found
    on conflict (user_id, project_id, organization_id) do nothing
    returning *
  ), event as (
    insert into rival.events (authorization_id, type, time, actor_id, payload)
    select id, 'user.grant.added', creation_date, $6, jsonb_build_object(
      'userId', user_id, 'projectId', project_id, 'organizationId', organization_id,
      'projectGrantId', project_grant_id, 'roleKeys', role_keys, 'state', state)
    from created
  )
  select f.*, (select creation_date from created) as created,
    (select id from rival.authorizations where user_id = $2 and project_id = $3 and organization_id = $4) as existing
  from facts f`;
