import sql, { join, raw, type Sql } from "sql-template-tag";
import type { Scope } from "../../authorization/permissions.ts";
import { isReached } from "./scopes.ts";

/** Which columns say where something is, and how its places are selected. */
export type Placed = {
  readonly columns: readonly string[];
  /**
   * Whether a place has rows from before its scope was created again under the same id. Then its column `hidden_to` is
   * the sequence of the last one, or 0 if there are none.
   */
  readonly hasHidden: boolean;
  /** The places of a project in these organizations, or in all of them. */
  ofProject(projectId: string, organizations: readonly string[] | undefined): Sql;
  /**
   * The places of projects in the organizations that own them. One condition is for the projects, the other one for the
   * places.
   */
  ofOwned(isProject: Sql, isPlace: Sql): Sql;
};

/** The place of an authorization is its organization and its project. */
export const authorizations: Placed = {
  columns: ["organization_id", "project_id"],
  hasHidden: false,
  ofProject(projectId, organizations) {
    if (organizations !== undefined) {
      return sql`
      select organization_id collate "C" as organization_id, ${projectId}::text collate "C" as project_id
      from unnest((select ${organizations}::text[])) as organization_id`;
    }
    return sql`
      select organization_id, id as project_id from projects where id = ${projectId}::text
      union all
      select organization_id, project_id from project_grants where project_id = ${projectId}::text`;
  },
  ofOwned: (isProject, isPlace) => sql`
      select organization_id, project_id from (select *, id as project_id from projects) p
      where ${isProject} and ${isPlace}`,
};

/**
 * The place of an event is where its authorization was, and through which grant. Any organization may have owned a project
 * or had a grant, so the events themselves say in which places it ever had some. findLastRemovals in
 * src/postgres/change/what-decides.ts decides the same for one removal, and must agree.
 */
export const events: Placed = {
  columns: ["organization_id", "project_id", "project_grant_id"],
  hasHidden: true,
  ofProject(projectId, organizations) {
    const id = sql`${projectId}::text`;
    if (organizations === undefined) {
      const ofProject = everPlaces("organization_id, project_grant_id", sql`project_id = ${id}`);
      return sql`
      select organization_id, ${id} collate "C" as project_id, project_grant_id, 0::bigint as hidden_to
      from (${ofProject}) ever`;
    }
    return sql`
      select o.id as organization_id, ${id} collate "C" as project_id, ever.project_grant_id,
        ${hiddenTo("organization", sql`o.id`)} as hidden_to
      from (select id collate "C" as id from unnest(${organizations}::text[]) as id) o
      cross join lateral (
        ${everPlaces("project_grant_id", sql`project_id = ${id} and organization_id = o.id`)}) ever`;
  },
  ofOwned: (isProject, isPlace) => sql`
      select o.organization_id, o.project_id, ever.project_grant_id, ${hiddenTo("project", sql`o.project_id`)} as hidden_to
      from (
        select organization_id, project_id from (select *, id as project_id from projects) p
        where ${isProject} and ${isPlace}) o
      cross join lateral (
        ${everPlaces("project_grant_id", sql`project_id = o.project_id and organization_id = o.organization_id`)}) ever`,
};

/**
 * Selects the different values of columns in the index of places, each found behind the one before. So it reads as many
 * entries of the index as there are places, however many events they have.
 *
 * @param condition says what the columns before them in that index are
 */
function everPlaces(columns: string, condition: Sql): Sql {
  const [names, first] = [raw(columns), raw(columns.replaceAll(/\w+/g, "e.$&"))];
  return sql`
        with recursive ever as (
          (select ${names} from events where ${condition} order by ${names} limit 1)
          union all
          select next.* from ever e cross join lateral (
            select ${names} from events where ${condition} and (${names}) > (${first}) order by ${names} limit 1) next)
        select * from ever`;
}

/**
 * The last event from before something was created again under its id; 0 if it was never removed.
 *
 * @param history whose events: those of authorizations or those of the directory
 */
export function hiddenTo(
  kind: "organization" | "user" | "project" | "projectGrant",
  id: Sql,
  history: "last_event" | "last_directory_event" = "last_event",
): Sql {
  return sql`coalesce((
        select r.${raw(history)} from removed_things r where r.kind = ${raw(`'${kind}'`)} and r.id = ${id}), 0)`;
}

/** True for an event after that one. As for kept events (migrations/0004_events.sql), it is no condition on an index. */
export function isSince(as: Sql, hidden: Sql): Sql {
  return sql`${as}.sequence + 0 > ${hidden}`;
}

/** A whole organization is a place without a project. */
export function wholeOrganizations(ids: readonly string[], { columns, hasHidden }: Placed): Sql {
  const [id, ...others] = columns.map((column) => raw(column));
  const hidden = hasHidden ? sql`, ${hiddenTo("organization", sql`o.${id}`)} as hidden_to` : sql``;
  return sql`
      select ${id} collate "C" as ${id}, ${join(others.map((other) => sql`'' collate "C" as ${other}`))}${hidden}
      from unnest((select ${ids}::text[])) as o (${id})`;
}

/** The single places that projects and grants among the scopes reach and that meet a condition. */
export function placesOfScopes(scopes: readonly Scope[], isPlace: Sql, placed: Placed): Sql {
  const columns = placed.columns.map((column) =>
    raw(column === "project_grant_id" ? "id as project_grant_id" : column),
  );
  const hidden = placed.hasHidden ? [sql`${hiddenTo("projectGrant", sql`g.id`)} as hidden_to`] : [];
  return sql`${placed.ofOwned(isReached("projects", sql`p`, scopes), isPlace)}
      union all
      select ${join([...columns, ...hidden])} from project_grants g
      where ${isReached("project_grants", sql`g`, scopes)} and ${isPlace}`;
}
