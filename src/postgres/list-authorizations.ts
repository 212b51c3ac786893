import sql, { empty, join, raw, type Sql } from "sql-template-tag";
import type { Authorization, Instant, Role, State } from "../authorization/authorization.ts";
import type { ListQuery, Page, SortColumn } from "../authorization/list.ts";
import type { Visibility } from "../authorization/permissions.ts";
import type { Database } from "./database.ts";
import { isVisible, matches } from "./filters.ts";

/** Reads the total and the page in one statement, so that both are of one moment. */
export async function listAuthorizations(
  database: Database,
  visibility: Visibility,
  query: ListQuery,
  signal: AbortSignal,
): Promise<Page> {
  const rows = await database.query<Row | { total: number; id: null }>(listStatement(visibility, query), signal);
  const authorizations = rows.filter((row) => row.id !== null).map(toAuthorization);
  return { total: rows[0]?.total ?? 0, authorizations };
}

/** The statement alone, for tests that prepare every shape of it. */
export function listStatement(visibility: Visibility, query: ListQuery): Sql {
  const conditions = join([isVisible(visibility), ...query.filters.map(matches)], " and ");
  const order = orderBy(query.sort);
  // The total stands beside the page, because past the last page there is no row to carry it.
  return sql`
    with matching as not materialized (
      select a.*${query.sort.column === "userOrganizationId" ? userOrganization : empty}
      from authorizations a
      where ${conditions}
    ), page as (
      select * from matching a
      order by ${order}
      limit ${query.limit}::bigint offset ${clampOffset(query.offset)}::bigint
    )
    select t.total, a.*
    from (select count(*)::integer as total from matching) t
    left join (
      select
        a.id, a.creation_date, a.change_date, a.state,
        a.project_id, p.name as project_name, p.organization_id as project_organization_id,
        a.organization_id, o.name as organization_name,
        a.user_id, u.preferred_login_name, u.display_name, u.avatar_url, u.organization_id as user_organization_id,
        (select coalesce(json_agg(json_build_object(
            'key', r.key, 'displayName', r.display_name, 'group', r.group_name) order by r.key), '[]')
          from authorization_roles h
          join project_roles r on r.project_id = h.project_id and r.key = h.role_key
          where h.authorization_id = a.id) as roles
      from page a
      join projects p on p.id = a.project_id
      join organizations o on o.id = a.organization_id
      join users u on u.id = a.user_id
    ) a on true
    order by ${order}`;
}

const userOrganization = sql`, (select u.organization_id from users u where u.id = a.user_id) as user_organization_id`;

const sortColumns: Record<SortColumn, string> = {
  creationDate: "a.creation_date",
  changeDate: "a.change_date",
  id: "a.id",
  userId: "a.user_id",
  projectId: "a.project_id",
  organizationId: "a.organization_id",
  userOrganizationId: "a.user_organization_id",
};

function orderBy({ column, ascending }: ListQuery["sort"]): Sql {
  const direction = ascending ? "asc" : "desc";
  return raw(column === "id" ? `a.id ${direction}` : `${sortColumns[column]} ${direction}, a.id ${direction}`);
}

/** Postgres counts rows in 63 bits; no table holds more, so a larger offset is past the end all the same. */
export function clampOffset(offset: bigint): string {
  const largest = 2n ** 63n - 1n;
  return (offset < largest ? offset : largest).toString();
}

type Row = {
  total: number;
  id: string;
  creation_date: Instant;
  change_date: Instant;
  state: State;
  project_id: string;
  project_name: string;
  project_organization_id: string;
  organization_id: string;
  organization_name: string;
  user_id: string;
  preferred_login_name: string;
  display_name: string;
  avatar_url: string;
  user_organization_id: string;
  roles: Role[];
};

function toAuthorization(row: Row): Authorization {
  return {
    id: row.id,
    creationDate: row.creation_date,
    changeDate: row.change_date,
    project: { id: row.project_id, name: row.project_name, organizationId: row.project_organization_id },
    organization: { id: row.organization_id, name: row.organization_name },
    user: {
      id: row.user_id,
      preferredLoginName: row.preferred_login_name,
      displayName: row.display_name,
      avatarUrl: row.avatar_url,
      organizationId: row.user_organization_id,
    },
    state: row.state,
    roles: row.roles,
  };
}
