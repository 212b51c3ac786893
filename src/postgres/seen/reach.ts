import sql, { join, type Sql } from "sql-template-tag";
import type { State } from "../../authorization/authorization.ts";
import type { Filter } from "../../authorization/list.ts";
import type { Visibility } from "../../authorization/permissions.ts";
import { matches } from "../list/matching.ts";
import { normalForm, type Term } from "../list/normal-form.ts";

/** Where a list finds what the caller sees: in organizations, in places (a project in an organization), or anywhere. */
export type Reach = {
  /** Whether everything is in reach: an entry on the instance, and no filter that narrows it. */
  readonly everything: boolean;
  /** Selects organization_id and project_id, which is '' for a whole organization; undefined when there is none. */
  readonly places: Sql | undefined;
  /** Whether whole organizations are among the places, and whether others are. */
  readonly kinds: readonly PlaceKind[];
  /** About how many places there are. */
  readonly size: number;
  /** Whose own authorizations are in reach besides. */
  readonly owner: string | undefined;
};

export type PlaceKind = "organization" | "place";

/** The one organization, project and state that filters leave, and the filters that say something else. */
export type Narrowing = {
  readonly organizationId: string | undefined;
  readonly projectId: string | undefined;
  readonly state: State | undefined;
  readonly others: readonly Term[];
};

export function narrow(filters: readonly Filter[]): Narrowing {
  const narrowing: { organizationId?: string; projectId?: string; state?: State } = {};
  const others = normalForm(filters).filter((filter) => {
    switch (filter.kind) {
      case "organizationId":
      case "projectId":
        // An empty id matches nothing; a second one that differs leaves nothing.
        if (filter.id === "") return true;
        narrowing[filter.kind] ??= filter.id;
        return narrowing[filter.kind] !== filter.id;
      case "state":
        narrowing.state ??= filter.state;
        return narrowing.state !== filter.state;
      default:
        return true;
    }
  });
  return { organizationId: undefined, projectId: undefined, state: undefined, ...narrowing, others };
}

export function reachOf({ userId, scopes }: Visibility, { organizationId, projectId }: Narrowing): Reach {
  if (scopes.some((scope) => scope.kind === "instance")) {
    const everything = organizationId === undefined && projectId === undefined;
    const places = everything ? undefined : onePlace(organizationId, projectId);
    return {
      everything,
      places,
      kinds: [projectId === undefined ? "organization" : "place"],
      size: organizationId === undefined ? severalGrants : 1,
      owner: undefined,
    };
  }
  const organizations = scopes.flatMap((scope) => (scope.kind === "organization" ? [scope.organizationId] : []));
  const projects = scopes.flatMap((scope) => (scope.kind === "project" ? [scope.projectId] : []));
  const grants = scopes.flatMap((scope) => (scope.kind === "projectGrant" ? [scope.projectGrantId] : []));
  const kinds: PlaceKind[] = organizations.length === 0 || projectId !== undefined ? ["place"] : ["organization"];
  if (kinds[0] === "organization" && projects.length + grants.length > 0) kinds.push("place");
  const parts: Sql[] = [];
  if (organizations.length > 0) {
    parts.push(sql`
      select organization_id collate "C" as organization_id, ${projectId ?? ""}::text collate "C" as project_id
      from unnest((select ${organizations}::text[])) as organization_id
      where ${inOrganization(organizationId)}`);
  }
  // A place in an organization that is in reach as a whole would show its rows twice.
  const isOutside = sql`organization_id <> all (${organizations}::text[])
        and ${inOrganization(organizationId)} and ${inProject(projectId)}`;
  if (projects.length > 0) {
    parts.push(sql`
      select organization_id, project_id from (select organization_id, id as project_id from projects) p
      where project_id = any(${projects}::text[]) and ${isOutside}`);
  }
  if (grants.length > 0) {
    parts.push(sql`
      select organization_id, project_id from project_grants where id = any(${grants}::text[]) and ${isOutside}`);
  }
  return {
    everything: false,
    places: parts.length === 0 ? undefined : join(parts, " union all "),
    kinds,
    size: scopes.length,
    owner: userId,
  };
}

/** How many organizations a project may be granted to, for want of the number. */
const severalGrants = 10;

/** Where an entry on the instance reaches once a filter narrows it: a project is in its owner and where it is granted. */
function onePlace(organizationId: string | undefined, projectId: string | undefined): Sql {
  if (organizationId !== undefined || projectId === undefined) {
    return sql`
    select ${organizationId ?? ""}::text collate "C" as organization_id, ${projectId ?? ""}::text collate "C" as project_id`;
  }
  return sql`
    select organization_id, id as project_id from projects where id = ${projectId}::text
    union all
    select organization_id, project_id from project_grants where project_id = ${projectId}::text`;
}

function inOrganization(organizationId: string | undefined): Sql {
  return organizationId === undefined ? sql`true` : sql`organization_id = ${organizationId}::text`;
}

function inProject(projectId: string | undefined): Sql {
  return projectId === undefined ? sql`true` : sql`project_id = ${projectId}::text`;
}

/** What filters ask beyond what the reach is narrowed to already. */
export function restOf({ state, others }: Narrowing): Sql[] {
  // Said so that the index of states is not chosen, which finds rows in an order that nobody asks for.
  const inState = state === undefined ? [] : [sql`(${matches({ kind: "state", state })}) is true`];
  return [...inState, ...others.map(matches)];
}

/** The authorizations of the owner as `a`: few, and to be found by nothing but their user. */
export function ofOwner({ owner }: Reach): Sql {
  return sql`(select * from authorizations where user_id = ${owner}::text offset 0) a`;
}

/** True for an authorization `a` of the owner that is in none of the places. */
export function isOnlyOwn(reach: Reach, narrowing: Narrowing): Sql {
  const { organizationId, projectId } = narrowing;
  const conditions = [sql`true`, ...restOf(narrowing)];
  if (organizationId !== undefined) conditions.push(sql`a.organization_id = ${organizationId}::text`);
  if (projectId !== undefined) conditions.push(sql`a.project_id = ${projectId}::text`);
  if (reach.places !== undefined) {
    conditions.push(sql`not exists (
        select from reach r
        where r.organization_id = a.organization_id and r.project_id in ('', a.project_id))`);
  }
  return join(conditions, " and ");
}
