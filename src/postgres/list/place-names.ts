import sql, { join, raw, type Sql } from "sql-template-tag";
import type { SortColumn } from "../../authorization/list.ts";
import type { Source } from "../page/top-of-sources.ts";
import { eachPlace, type PlaceKind, type Reach } from "../seen/reach.ts";

/**
 * Names that a list can be sorted by, but that authorizations have no copy of: renaming a project would have to rewrite
 * all of its authorizations. All authorizations of a place share the name, so it is enough to put the places in order.
 */
const names = {
  projectName: { table: "projects", column: "project_id" },
  organizationName: { table: "organizations", column: "organization_id" },
} as const;

type PlaceName = keyof typeof names;

export function isPlaceName(column: SortColumn): column is PlaceName {
  return column in names;
}

/**
 * A table `f` of keys and ids, made from one that has the id of a project or organization where its name belongs. The
 * offset has Postgres look up each name by its id, however many rows it expects.
 */
export function withKeys(column: SortColumn, found: Sql): Sql {
  if (!isPlaceName(column)) return sql`${found} f`;
  return sql`(
        select n.key, found.id from ${found} found
        cross join lateral (select fold_case(name) as key from ${raw(names[column].table)} where id = found.key offset 0) n) f`;
}

/** Everything in reach, as places with the `key` of each. */
export function placesByName(column: PlaceName, reach: Reach): Pick<Source, "each" | "places" | "holds">[] {
  const { table, column: id } = names[column];
  if (reach.everything) {
    const each = sql`(select id as ${raw(id)}, fold_case(name) as key from ${raw(table)}) r`;
    return [{ each, places: sql`true`, holds: sql`a.${raw(id)} = r.${raw(id)}` }];
  }
  if (reach.places === undefined) return [];
  if (column === "organizationName") {
    const each = sql`(
        select r.*, fold_case(o.name) as key from reach r join organizations o on o.id = r.organization_id) r`;
    return eachPlace(reach, sql`a`).map((place) => ({ ...place, each }));
  }
  const projects = reach.kinds.map((kind) => projectsOf[kind]);
  return [
    {
      each: sql`(${join(projects, " union all ")}) r`,
      places: sql`true`,
      holds: sql`(a.organization_id, a.project_id) = (r.organization_id, r.project_id)`,
    },
  ];
}

/** The projects of a whole organization are those it owns and those granted to it. */
const projectsOf: Record<PlaceKind, Sql> = {
  organization: sql`
        select r.organization_id, p.id as project_id, fold_case(p.name) as key
        from reach r cross join lateral (
          select id, name from projects where organization_id = r.organization_id
          union all
          select o.id, o.name from project_grants g join projects o on o.id = g.project_id
          where g.organization_id = r.organization_id) p
        where r.project_id = ''`,
  place: sql`
        select r.organization_id, p.id as project_id, fold_case(p.name) as key
        from reach r join projects p on p.id = r.project_id`,
};
