import type pg from "pg";
import type { Caller } from "./caller.ts";
import { toRfc3339 } from "./dates.ts";
import { prepared } from "./prepared.ts";
import { visibility } from "./visibility.ts";

export type Pagination = { offset?: number; limit?: number; asc?: boolean };

/** One query: the permission as OR conditions, the total by a window, the page cut before the joins. */
export async function listAuthorizations(pool: pg.Pool, caller: Caller, { offset, limit, asc }: Pagination) {
  const appliedLimit = limit || 100;
  const { condition, values } = visibility(caller, "read");
  const direction = asc ? "asc" : "desc";
  const { rows } = await pool.query(
    prepared(selectPage(condition, direction, values.length), [...values, appliedLimit, offset ?? 0]),
  );
  return {
    pagination: { totalResult: rows[0]?.total ?? (await countAll(pool, condition, values)), appliedLimit },
    authorizations: rows.map(toAuthorization),
  };
}

/** Past the last page there is no row that carries the total. */
async function countAll(pool: pg.Pool, condition: string, values: unknown[]): Promise<number> {
  const { rows } = await pool.query(
    prepared(`select count(*)::integer as total from rival.authorizations a where ${condition}`, values),
  );
  return rows[0].total;
}

const selectPage = (condition: string, direction: "asc" | "desc", given: number) => `
  with page as (
    select a.id, a.user_id, a.project_id, a.organization_id, a.state, a.creation_date, a.change_date,
      (count(*) over ())::integer as total
    from rival.authorizations a
    where ${condition}
    order by a.creation_date ${direction}, a.id ${direction}
    limit $${given + 1} offset $${given + 2}
  )
  select a.total, a.id, a.creation_date, a.change_date, a.state,
    a.project_id, p.name as project_name, p.organization_id as project_organization_id,
    a.organization_id, o.name as organization_name,
    a.user_id, u.preferred_login_name, u.display_name, u.avatar_url, u.organization_id as user_organization_id, r.roles
  from page a
  join projects p on p.id = a.project_id
  join organizations o on o.id = a.organization_id
  join users u on u.id = a.user_id
  cross join lateral (
    select coalesce(json_agg(json_build_object(
      'key', r.key, 'displayName', r.display_name, 'group', r.group_name) order by r.key), '[]') as roles
    from rival.authorization_roles h
    join project_roles r on r.project_id = h.project_id and r.key = h.role_key
    where h.authorization_id = a.id
  ) r
  order by a.creation_date ${direction}, a.id ${direction}`;

function toAuthorization(row: pg.QueryResultRow) {
  return {
    id: row.id,
    creationDate: toRfc3339(row.creation_date),
    changeDate: toRfc3339(row.change_date),
    project: { id: row.project_id, name: row.project_name, organizationId: row.project_organization_id },
    organization: { id: row.organization_id, name: row.organization_name },
    user: {
      id: row.user_id,
      preferredLoginName: row.preferred_login_name,
      displayName: row.display_name,
      avatarUrl: row.avatar_url,
      organizationId: row.user_organization_id,
    },
    state: row.state === "active" ? "STATE_ACTIVE" : "STATE_INACTIVE",
    roles: row.roles,
  };
}
