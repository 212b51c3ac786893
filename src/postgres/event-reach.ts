import sql, { join, type Sql } from "sql-template-tag";
import type { Visibility } from "../authorization/permissions.ts";
import type { EventNarrowing } from "./event-narrowing.ts";

/** Where a caller sees events, and whose own it sees besides. */
export type EventReach = {
  /** Whether it sees all events that are narrowed to. */
  readonly everything: boolean;
  /**
   * Selects organization_id, project_id and project_grant_id; of a whole organization the last two are '', of a project
   * in its owner the last one is. Undefined when there is none, or when nothing narrows everything.
   */
  readonly places: Sql | undefined;
  /** Whether whole organizations are among the places, and whether others are. */
  readonly kinds: readonly ("organization" | "place")[];
  readonly owner: string;
};

/**
 * As findLastRemoval in src/postgres/authorization-statements.ts says of one removal: the two must agree. Where a project
 * ever had events is known from the numbers of events, because it may have been owned by or granted to anybody.
 */
export function eventReachOf(
  { userId, scopes }: Visibility,
  { organizationId, projectId }: EventNarrowing,
): EventReach {
  const everything = scopes.some((scope) => scope.kind === "instance");
  const organizations = scopes.flatMap((scope) => (scope.kind === "organization" ? [scope.organizationId] : []));
  const projects = scopes.flatMap((scope) => (scope.kind === "project" ? [scope.projectId] : []));
  const grants = scopes.flatMap((scope) => (scope.kind === "projectGrant" ? [scope.projectGrantId] : []));
  const inOrganization = is(sql`organization_id`, organizationId);
  const inProject = is(sql`project_id`, projectId);
  const parts: Sql[] = [];
  if (everything && projectId !== undefined) parts.push(placesOf(sql`${inProject} and ${inOrganization}`));
  else if (everything && organizationId !== undefined) parts.push(wholeOrganizations([organizationId]));
  if (!everything && organizations.length > 0) {
    parts.push(
      projectId === undefined
        ? sql`${wholeOrganizations(organizations)} where ${inOrganization}`
        : placesOf(sql`${inProject} and ${inOrganization} and organization_id = any(${organizations}::text[])`),
    );
  }
  // A place in an organization that is in reach as a whole would show its events twice.
  const isOutside = sql`organization_id <> all (${organizations}::text[]) and ${inOrganization} and ${inProject}`;
  if (!everything && projects.length > 0) {
    parts.push(
      placesOf(sql`
        (project_id, organization_id) in (select id, organization_id from projects where id = any(${projects}::text[]))
        and ${isOutside}`),
    );
  }
  if (!everything && grants.length > 0) {
    parts.push(sql`
      select organization_id, project_id, id as project_grant_id from project_grants
      where id = any(${grants}::text[]) and ${isOutside}`);
  }
  const whole = projectId === undefined && (everything ? organizationId !== undefined : organizations.length > 0);
  const others = projectId !== undefined || (!everything && projects.length + grants.length > 0);
  return {
    everything,
    places: parts.length === 0 ? undefined : join(parts, " union all "),
    kinds: [...(whole ? ["organization" as const] : []), ...(others ? ["place" as const] : [])],
    owner: userId,
  };
}

function wholeOrganizations(ids: readonly string[]): Sql {
  return sql`
      select organization_id collate "C" as organization_id, '' collate "C" as project_id, '' collate "C" as project_grant_id
      from unnest((select ${ids}::text[])) as organization_id`;
}

function placesOf(condition: Sql): Sql {
  return sql`
      select distinct organization_id, project_id, project_grant_id from numbers
      where kind = 'event' and organization_id <> '' and project_id <> '' and ${condition}`;
}

function is(column: Sql, id: string | undefined): Sql {
  return id === undefined ? sql`true` : sql`${column} = ${id}::text`;
}

/** True for an event `e` that the caller sees. Expects the places as `reach`. */
export function isVisibleEvent(reach: EventReach): Sql {
  if (reach.everything) return sql`true`;
  return sql`(e.user_id = ${reach.owner}::text or ${isInReach(reach)})`;
}

/** True for an event `e` in one of the places; each of the two is looked up in a hash table. */
export function isInReach({ places, kinds }: EventReach): Sql {
  if (places === undefined) return sql`false`;
  const ways = kinds.map((kind) =>
    kind === "organization"
      ? sql`e.organization_id in (select organization_id from reach where project_id = '')`
      : sql`(e.organization_id, e.project_id, e.project_grant_id) in (
          select organization_id, project_id, project_grant_id from reach where project_id <> '')`,
  );
  return sql`(${join(ways, " or ")})`;
}
