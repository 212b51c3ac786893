import sql, { type Sql } from "sql-template-tag";
import type { Scope, Visibility } from "../../authorization/permissions.ts";
import { idsOf, isOwn, isReached, reachEverything } from "./scopes.ts";

/**
 * A table, `seen`, with the ids of the organizations of all scopes and of the caller's own authorizations. Any other
 * authorization that the caller sees is in the organization of a scope.
 */
export function seenOrganizations(visibility: Visibility): Sql[] {
  const { scopes } = visibility;
  const single = scopes.filter(({ kind }) => kind !== "organization");
  return [
    sql`seen as materialized (
      select unnest(${idsOf("organization", scopes)}::text[]) as id
      union select organization_id from projects p where ${isReached("projects", sql`p`, single)}
      union select organization_id from project_grants g where ${isReached("project_grants", sql`g`, single)}
      union select a.organization_id from authorizations a where ${isOwn(visibility, sql`a`)})`,
  ];
}

/**
 * Tables with the grants that concern the caller, `concerned`, and the ids of the projects it sees, `seen`: those of
 * its scopes and of its own authorizations. Any other authorization that it sees belongs to a project or a grant of a
 * scope. All grants of a project concern those who may change them.
 *
 * @param changing the scopes in which the caller may change grants
 */
export function seenProjects(visibility: Visibility, changing: readonly Scope[]): Sql[] {
  const { scopes } = visibility;
  const own = isOwn(visibility, sql`a`);
  return [
    sql`concerned as materialized (
      select id, project_id, organization_id from project_grants g where ${isReached("project_grants", sql`g`, scopes)}
      union
      select g.id, g.project_id, g.organization_id
      from authorizations a join project_grants g on g.id = a.granted_by
      where ${own}
      union
      select g.id, g.project_id, g.organization_id
      from projects p join project_grants g on g.project_id = p.id
      where ${isReached("projects", sql`p`, changing)})`,
    sql`seen as materialized (
      select id from projects p where ${isReached("projects", sql`p`, scopes)}
      union select project_id from concerned
      union select a.project_id from authorizations a where ${own})`,
  ];
}

/**
 * True for a project `p` whose roles are all visible, not only those in grants. The caller's own authorizations are read
 * once. If they were looked up for each project, Postgres would read everyone's in the project.
 */
export function isSeenWhole(visibility: Visibility): Sql {
  const { scopes } = visibility;
  if (reachEverything(scopes)) return sql`true`;
  return sql`(${isReached("projects", sql`p`, scopes)} or (p.id, p.organization_id) in (
        select a.project_id, a.organization_id from authorizations a where ${isOwn(visibility, sql`a`)}))`;
}

/**
 * The projects `p`, each with every `place` in the scopes where an authorization could be.
 *
 * @param organizationId the organization of the places
 */
export function projectsInPlaces(scopes: readonly Scope[], organizationId?: string): Sql {
  if (reachEverything(scopes)) {
    if (organizationId !== undefined) return projectsInPlaces([{ kind: "organization", id: organizationId }]);
    return sql`projects p cross join lateral (
        select p.organization_id, '' as project_grant_id
        union all
        select g.organization_id, g.id from project_grants g where g.project_id = p.id) place`;
  }
  return sql`(
        select id as project_id, organization_id, '' as project_grant_id from projects p
        where ${isReached("projects", sql`p`, scopes)}
        union all
        select project_id, organization_id, id from project_grants g
        where ${isReached("project_grants", sql`g`, scopes)}) place
      join projects p on p.id = place.project_id`;
}
