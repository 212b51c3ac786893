import sql, { join, type Sql } from "sql-template-tag";
import type { Scope } from "../../authorization/permissions.ts";
import type { Assignable, LookUpQuery, ProjectFilter } from "../../directory/look-ups.ts";
import { amongMatching, countOf } from "../page/page.ts";
import { projectsInPlaces } from "../seen/directory.ts";
import { reachEverything } from "../seen/scopes.ts";
import { isNamed, lookUp, type NameList, rowOf } from "./name-list.ts";
import { type RoleRow, rolesOf, toRoles } from "./project-roles.ts";

type Query = LookUpQuery<ProjectFilter>;

export const listAssignable = lookUp(assignableList, toAssignable);

/** The parts of the statement, also for tests of its plans. */
export function assignableList(scopes: readonly Scope[], query: Query): NameList {
  const isEverything = reachEverything(scopes) && query.filters.length === 0;
  const filters = query.filters.map((filter) =>
    filter.kind === "inOrganizationId" ? sql`place.organization_id = ${filter.id}::text` : isNamed(sql`p`, filter),
  );
  const place = query.filters.find((filter) => filter.kind === "inOrganizationId");
  const matching = sql`
      select fold_case(p.name) as key, p.id, place.organization_id, place.project_grant_id
      from ${projectsInPlaces(scopes, place?.id)}
      where ${join([sql`true`, ...filters], " and ")}`;
  const found = amongMatching(matching, isEverything, isBehind(query));
  return {
    ...found,
    total: isEverything ? sql`${countOf(sql`projects`)} + ${countOf(sql`project_grants`)}` : found.total,
    order: sql`key, id, organization_id`,
    listed: sql`
      select page.position, page.key, p.id, p.name, p.organization_id as "organizationId",
        page.project_grant_id as "projectGrantId",
        page.organization_id as place_id,
        (select o.name from organizations o where o.id = page.organization_id) as place_name, roles.*
      from page
      cross join lateral (${rowOf(sql`projects`)}) p
      cross join lateral (${rolesOf(sql`
        r.project_id = p.id and (page.project_grant_id = '' or r.key = any(array(
          select h.role_key from project_grant_roles h where h.project_grant_id = page.project_grant_id)))`)}) roles`,
  };
}

/** Also compares only the first two columns, because with these the index finds where to start. */
function isBehind({ after }: Query): Sql {
  if (after === undefined) return sql`true`;
  const { name, id, organizationId } = after;
  return sql`(key, id) >= (${name}::text, ${id}::text)
        and (key, id, organization_id) > (${name}::text, ${id}::text, ${organizationId}::text)`;
}

type Row = RoleRow & Omit<Assignable, "roles" | "place"> & { key: string; place_id: string; place_name: string };

function toAssignable({ place_id, place_name, ...row }: Row): Assignable {
  const { id, name, organizationId, totalRoles, projectGrantId } = row;
  const place = { id: place_id, name: place_name };
  return { id, name, organizationId, roles: toRoles(row), totalRoles, projectGrantId, place };
}
