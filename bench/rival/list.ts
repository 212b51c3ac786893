import type pg from "pg";
import type { Caller } from "./caller.ts";
import { toRfc3339 } from "./dates.ts";
import { prepared } from "./prepared.ts";
import { visibility } from "./visibility.ts";

export type ListRequest = {
  pagination?: { offset?: number; limit?: number; asc?: boolean };
  /** Parts of display names, whatever their case; all of them. */
  filters?: { userDisplayName: { displayName: string } }[];
};

/**
 * One query: the permission as OR conditions, of which only those are there that the caller has, the total by a window, and
 * the page cut before names are joined. Roles are read once for the projects of the page.
 */
export async function listAuthorizations(pool: pg.Pool, caller: Caller, { pagination, filters }: ListRequest) {
  const { offset, limit, asc } = pagination ?? {};
  const appliedLimit = limit || 100;
  const { condition, values } = visibility(caller, "read");
  const conditions = condition === "true" ? [] : [condition];
  for (const { userDisplayName } of filters ?? []) {
    values.push(`%${userDisplayName.displayName.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`);
    conditions.push(`a.user_id in (select id from rival.users where lower(display_name) like $${values.length})`);
  }
  const where = conditions.length === 0 ? "" : `where ${conditions.join(" and ")}`;
  const { rows } = await pool.query(
    prepared(selectPage(where, asc ? "asc" : "desc", values.length), [...values, appliedLimit, offset ?? 0]),
  );
  const totalResult = rows[0]?.total ?? (offset ? await countAll(pool, where, values) : 0);
  const role = rolesOf(rows);
  return { pagination: { totalResult, appliedLimit }, authorizations: rows.map((row) => toAuthorization(row, role)) };
}

/** Past the last page there is no row that carries the total. */
async function countAll(pool: pg.Pool, where: string, values: unknown[]): Promise<number> {
  const { rows } = await pool.query(
    prepared(`select count(*)::integer as total from rival.authorizations a ${where}`, values),
  );
  return rows[0].total;
}

const selectPage = (where: string, direction: "asc" | "desc", given: number) => `
  with page as (
    select a.id, a.user_id, a.project_id, a.organization_id, a.state, a.creation_date, a.change_date, a.role_keys,
      (count(*) over ())::integer as total
    from rival.authorizations a
    ${where}
    order by a.creation_date ${direction}, a.id ${direction}
    limit $${given + 1} offset $${given + 2}
  )
  select a.total, a.id, a.creation_date, a.change_date, a.state,
    a.project_id, p.name as project_name, p.organization_id as project_organization_id,
    a.organization_id, o.name as organization_name,
    a.user_id, u.preferred_login_name, u.display_name, u.avatar_url, u.organization_id as user_organization_id,
    array_to_json(a.role_keys) as role_keys,
    case when row_number() over () = 1 then (
      select json_agg(json_build_array(r.project_id, r.key, r.display_name, r.group_name))
      from project_roles r where r.project_id in (select project_id from page)) end as project_roles
  from page a
  join projects p on p.id = a.project_id
  join organizations o on o.id = a.organization_id
  join rival.users u on u.id = a.user_id
  order by a.creation_date ${direction}, a.id ${direction}`;

type Role = { key: string; displayName: string; group: string };

/** The roles of the projects of a page, which one of its rows carries, by project and key. */
function rolesOf(rows: readonly pg.QueryResultRow[]): (projectId: string, key: string) => Role | undefined {
  const found: [string, string, string, string][] = rows.find((row) => row.project_roles !== null)?.project_roles ?? [];
  const roles = new Map(
    found.map(([projectId, key, displayName, group]) => [`${projectId} ${key}`, { key, displayName, group }]),
  );
  return (projectId, key) => roles.get(`${projectId} ${key}`);
}

function toAuthorization(row: pg.QueryResultRow, role: ReturnType<typeof rolesOf>) {
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
    // Its assignments have no ends.
    expired: false,
    roles: row.role_keys.map((key: string) => role(row.project_id, key)),
  };
}
