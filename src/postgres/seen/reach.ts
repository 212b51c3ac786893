import sql, { join, raw, type Sql } from "sql-template-tag";
import type { Visibility } from "../../authorization/permissions.ts";
import { hiddenTo, isSince, type Placed, placesOfScopes, wholeOrganizations } from "./places.ts";
import { idsOf, isOwn, reachEverything } from "./scopes.ts";

/** Where a list finds what the caller sees: in organizations, in places (a project in an organization), or anywhere. */
export type Reach = Readonly<ReturnType<typeof reachOf>>;

export type PlaceKind = "organization" | "place";

/** The organization and the project that the filters allow. */
type Narrowed = { readonly organizationId?: string | undefined; readonly projectId?: string | undefined };

/** @param placed what to find: authorizations or events */
export function reachOf(visibility: Visibility, narrowed: Narrowed, placed: Placed) {
  const { scopes } = visibility;
  const isAll = reachEverything(scopes);
  const { organizationId, projectId } = narrowed;
  const hides = placed.hasHidden && !isAll;
  const asked = organizationId === undefined ? undefined : [organizationId];
  const organizations = isAll ? asked : idsOf("organization", scopes).filter((id) => asked?.includes(id) ?? true);
  const parts: { kind: PlaceKind; places: Sql }[] = [];
  if (projectId !== undefined && organizations?.length !== 0) {
    parts.push({ kind: "place", places: placed.ofProject(projectId, organizations) });
  } else if (organizations !== undefined && organizations.length > 0) {
    parts.push({ kind: "organization", places: wholeOrganizations(organizations, { ...placed, hasHidden: hides }) });
  }
  const single = scopes.filter(({ kind }) => kind === "project" || kind === "projectGrant");
  if (!isAll && single.length > 0) {
    // A single place in an organization that is in reach as a whole would return its rows twice.
    const conditions = [sql`organization_id <> all (${organizations ?? []}::text[])`];
    if (organizationId !== undefined) conditions.push(sql`organization_id = ${organizationId}::text`);
    if (projectId !== undefined) conditions.push(sql`project_id = ${projectId}::text`);
    parts.push({ kind: "place", places: placesOfScopes(single, join(conditions, " and "), placed) });
  }
  const selected = parts.map(({ places }) => places);
  const kinds: readonly PlaceKind[] = parts.length === 0 ? ["place"] : [...new Set(parts.map(({ kind }) => kind))];
  return {
    /** Whether everything is in reach: an entry on the instance, and no narrowing filter. */
    everything: isAll && parts.length === 0,
    /** Selects the columns of the places; for a whole organization, the others are ''. Undefined if there are none. */
    places: selected.length === 0 ? undefined : join(selected, " union all "),
    columns: placed.columns,
    /** Whether the places include whole organizations, and whether they include single places. */
    kinds,
    /** About how many places there are. */
    size: (organizations?.length ?? severalGrants) + single.length,
    /** The user whose own rows are visible anywhere; undefined for a caller that sees everything. */
    owner: isAll ? undefined : visibility,
    /** Whether rows from before something was created again under its id are hidden from its new users. */
    hides,
  };
}

/** An assumed number of organizations for each project, because the real one isn't known. */
const severalGrants = 10;

/** The tables of the places, and of those with hidden rows, which are few. The functions below expect them. */
export function reachTable({ places, hides }: Reach): Sql[] {
  if (places === undefined) return [];
  const hiding = hides ? [sql`hiding as materialized (select * from reach where hidden_to > 0)`] : [];
  return [sql`reach as materialized (${places})`, ...hiding];
}

/** For each kind of place: its rows `r` in that table, and the condition for rows of another table in such a place. */
export function eachPlace({ places, kinds, columns, hides }: Reach, as: Sql) {
  return (places === undefined ? [] : kinds).map((kind) => {
    const its = kind === "organization" ? ["organization_id"] : columns;
    const conditions = its.map((column) => sql`${as}.${raw(column)} = r.${raw(column)}`);
    if (hides) conditions.push(isSince(as, sql`r.hidden_to`));
    return {
      kind,
      each: sql`reach r`,
      places: kind === "organization" ? sql`r.project_id = ''` : sql`r.project_id <> ''`,
      holds: join(conditions, " and "),
    };
  });
}

/** True for a row in one of the places, which are looked up in a hash table. */
export function isInReach({ places, kinds, columns, hides }: Reach, as: Sql): Sql {
  if (places === undefined) return sql`false`;
  const ways = kinds.map((kind) => {
    const [its, isKind] = kind === "organization" ? [["organization_id"], "="] : [columns, "<>"];
    const row = sql`(${join(its.map((column) => sql`${as}.${raw(column)}`))})`;
    const isThere = (table: string, condition: Sql) =>
      sql`${row} in (
          select ${raw(its.join(", "))} from ${raw(table)} where project_id ${raw(isKind)} '' and ${condition})`;
    if (!hides) return isThere("reach", sql`true`);
    return sql`(${isThere("reach", sql`true`)} and not ${isThere("hiding", sql`hidden_to >= ${as}.sequence`)})`;
  });
  return sql`(${join(ways, " or ")})`;
}

/** True for a row that the caller sees. */
export function isSeen(reach: Reach, as: Sql): Sql {
  return reach.owner === undefined ? sql`true` : sql`(${isOwners(reach.owner, reach, as)} or ${isInReach(reach, as)})`;
}

/** True for a row of the owner that is in none of the places. */
export function isOnlyOwn(reach: Reach, as: Sql): Sql {
  if (reach.owner === undefined) return sql`false`;
  return sql`${isOwners(reach.owner, reach, as)} and not ${isInReach(reach, as)}`;
}

/** True for a row of the owner, and not of an earlier user with the same id. */
function isOwners(owner: Visibility, { hides }: Reach, as: Sql): Sql {
  const isTheirs = isOwn(owner, as);
  if (!hides) return isTheirs;
  return sql`(${isTheirs} and ${isSince(as, hiddenTo("user", sql`${owner.userId}::text`))})`;
}
