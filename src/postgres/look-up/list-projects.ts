import sql, { join, raw, type Sql } from "sql-template-tag";
import { type Caller, scopesWith, type Visibility, visibilityOf } from "../../authorization/permissions.ts";
import { type FoundProject, type LookUpQuery, mostGrants, type ProjectFilter } from "../../directory/look-ups.ts";
import { amongMatching } from "../page/page.ts";
import { isSeenWhole, seenProjects } from "../seen/directory.ts";
import { reachEverything } from "../seen/scopes.ts";
import { byName, isBehindName, isNamed, lookUp, type NameList, rowOf } from "./name-list.ts";
import { type RoleRow, rolesOf, toRoles } from "./project-roles.ts";

export const listProjects = lookUp(projectList, toProject);

/** The parts of the statement, also for tests of its plans. */
export function projectList(caller: Caller, query: LookUpQuery<ProjectFilter>): NameList {
  const visibility = visibilityOf(caller);
  const isEverything = reachEverything(visibility.scopes);
  const concerned = isEverything ? sql`project_grants` : sql`concerned`;
  const conditions = [sql`true`, ...query.filters.map((filter) => matches(filter, concerned))];
  if (!isEverything) conditions.push(sql`p.id = any(array(select id from seen))`);
  const matching = sql`
      select fold_case(p.name) as key, p.id from projects p where ${join(conditions, " and ")}`;
  const found = amongMatching(matching, isEverything && query.filters.length === 0, isBehindName(query));
  return {
    ...found,
    tables: [
      ...(isEverything ? [] : seenProjects(visibility, scopesWith(caller, "project.grant.write"))),
      ...found.tables,
    ],
    order: byName,
    listed: listed(visibility, concerned),
  };
}

function matches(filter: ProjectFilter, concerned: Sql): Sql {
  if (filter.kind !== "inOrganizationId") return isNamed(sql`p`, filter);
  return sql`p.id = any(array(
        select id from projects where organization_id = ${filter.id}::text
        union all
        select project_id from ${concerned} where organization_id = ${filter.id}::text))`;
}

/** Selects what the caller sees of a page's projects. Grants are looked up only for those. */
function listed(visibility: Visibility, concerned: Sql): Sql {
  return sql`
      select page.position, page.key, p.id, p.name, p.organization_id as "organizationId", roles.*,
        coalesce(cardinality(c.ids), 0) as "totalGrants",
        array_to_json(array(
          select json_build_object('id', id, 'organization', organization, 'roleKeys', role_keys)
          from (
            select g.*, sum(octet_length(role_keys::text)) over (order by id rows unbounded preceding) as bytes_until
            from (${grantsOfPage} offset 0) g) g
          where bytes_until <= ${mostKeyBytes}
          order by id)) as grants
      from page
      cross join lateral (${rowOf(sql`projects`)}) p
      left join (
        select project_id, array_agg(id order by id) as ids from ${concerned}
        where project_id = any(array(select id from page)) group by project_id) c on c.project_id = p.id
      cross join lateral (select ${isSeenWhole(visibility)} as is_whole offset 0) sees
      cross join lateral (${rolesOf(sql`
        r.project_id = p.id and (sees.is_whole or r.key = any(array(
          select distinct h.role_key from project_grant_roles h where h.project_grant_id = any(c.ids))))`)}) roles`;
}

/** Grants of a project on the page, each with its role keys. The first one always has fewer bytes than are listed. */
const grantsOfPage = sql`
              select g.id, json_build_object('id', o.id, 'name', o.name) as organization,
                array_to_json(array(
                  select h.role_key from project_grant_roles h
                  where h.project_grant_id = g.id order by h.role_key)) as role_keys
              from unnest(c.ids[:${mostGrants}::integer]) as of_page (id)
              join project_grants g on g.id = of_page.id
              join organizations o on o.id = g.organization_id`;

/** How many bytes of role keys a project's grants may have together. The keys of one grant have up to 1.2 MiB. */
const mostKeyBytes = raw(String(2 * 1_024 * 1_024));

type Row = RoleRow & Omit<FoundProject, "roles"> & { key: string };

function toProject(row: Row): FoundProject {
  const { id, name, organizationId, totalRoles, grants, totalGrants } = row;
  return { id, name, organizationId, roles: toRoles(row), totalRoles, grants, totalGrants };
}
