import sql, { type Sql } from "sql-template-tag";
import type { Authorization, Instant, Role, State } from "../authorization/authorization.ts";
import type { Page } from "../authorization/list.ts";

/**
 * Selects what a list shows of the authorizations whose ids are in `page`, in that order: a row for each, and before
 * them one that carries the total, whether there is more, and what many rows have in common, each once.
 */
export function selectListed({ total, more, order }: { total: Sql; more: Sql; order: Sql }): Sql {
  return sql`
listed as materialized (
      select row_number() over (order by ${order})::integer as position, a.*
      from (select key, id as page_id from page) page join authorizations a on a.id = page.page_id
    ), held as materialized (
      select l.position, l.project_id, h.role_key
      from listed l join authorization_roles h on h.authorization_id = l.id
    )
    select 0 as position, ${total} as total, ${more} as more,
      (select json_object_agg(p.id, json_build_array(p.name, p.organization_id))
        from projects p where p.id in (select project_id from listed)) as projects,
      (select json_object_agg(o.id, o.name)
        from organizations o where o.id in (select organization_id from listed)) as organizations,
      (select json_agg(json_build_array(r.project_id, r.key, r.display_name, r.group_name))
        from project_roles r where (r.project_id, r.key) in (select project_id, role_key from held)) as roles,
      null as id, null as creation_date, null as change_date, null as state, null as project_id,
      null as organization_id, null as user_id, null as preferred_login_name, null as display_name,
      null as avatar_url, null as user_organization_id, null as role_keys
    union all
    select l.position, null, null, null, null, null,
      l.id, l.creation_date, l.change_date, l.state, l.project_id, l.organization_id, l.user_id,
      u.preferred_login_name, u.display_name, u.avatar_url, u.organization_id, h.role_keys
    from listed l
    join users u on u.id = l.user_id
    left join (select position, json_agg(role_key order by role_key) as role_keys from held group by position) h
      on h.position = l.position
    order by position`;
}

/** The row before the others; of what the page has in common, null stands for none. */
type Head = {
  position: 0;
  total: number;
  more: boolean;
  projects: Record<string, [name: string, organizationId: string]> | null;
  organizations: Record<string, string> | null;
  roles: [projectId: string, key: string, displayName: string, group: string][] | null;
};

type ListedRow = {
  id: string;
  creation_date: Instant;
  change_date: Instant;
  state: State;
  project_id: string;
  organization_id: string;
  user_id: string;
  preferred_login_name: string;
  display_name: string;
  avatar_url: string;
  user_organization_id: string;
  /** Sorted; null for none. */
  role_keys: string[] | null;
};

export type Listed = readonly [Head, ...ListedRow[]];

export function toPage([head, ...rows]: Listed): Page {
  const roles = new Map<string, Map<string, Role>>();
  for (const [projectId, key, displayName, group] of head.roles ?? []) {
    const ofProject = roles.get(projectId) ?? new Map<string, Role>();
    roles.set(projectId, ofProject.set(key, { key, displayName, group }));
  }
  return {
    total: head.total,
    more: head.more,
    authorizations: rows.map((row) => toAuthorization(row, head, roles.get(row.project_id))),
  };
}

function toAuthorization(row: ListedRow, head: Head, roles: ReadonlyMap<string, Role> | undefined): Authorization {
  const [projectName, owner] = known(head.projects?.[row.project_id]);
  return {
    id: row.id,
    creationDate: row.creation_date,
    changeDate: row.change_date,
    project: { id: row.project_id, name: projectName, organizationId: owner },
    organization: { id: row.organization_id, name: known(head.organizations?.[row.organization_id]) },
    user: {
      id: row.user_id,
      preferredLoginName: row.preferred_login_name,
      displayName: row.display_name,
      avatarUrl: row.avatar_url,
      organizationId: row.user_organization_id,
    },
    state: row.state,
    roles: (row.role_keys ?? []).map((key) => known(roles?.get(key))),
  };
}

/** References are enforced, and all rows are of one moment. */
function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("a list points at something that is not there");
  return value;
}
