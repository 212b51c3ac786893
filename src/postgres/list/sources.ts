import sql, { join, raw, type Sql } from "sql-template-tag";
import type { SortColumn } from "../../authorization/list.ts";
import type { Source } from "../page/top-of-sources.ts";
import { eachPlace, isInReach, type PlaceKind, type Reach } from "../seen/reach.ts";
import { isOwn } from "../seen/scopes.ts";
import { matches } from "./matching.ts";
import type { Narrowing } from "./normal-form.ts";
import { isPlaceName, placesByName, withKeys } from "./place-names.ts";

/**
 * The value that an authorization `a` is sorted by. For the name of its project or organization, the id that leads
 * there.
 */
export function keyOf(column: SortColumn): Sql {
  return raw(sortColumns[column]);
}

const sortColumns: Record<SortColumn, string> = {
  creationDate: "a.creation_date",
  changeDate: "a.change_date",
  id: "a.id",
  userId: "a.user_id",
  projectId: "a.project_id",
  organizationId: "a.organization_id",
  userOrganizationId: "a.user_organization_id",
  userDisplayName: "a.user_name",
  projectName: "a.project_id",
  organizationName: "a.organization_id",
};

/**
 * Where a list finds its authorizations in order: everywhere, or in each place of the reach and among the caller's own.
 * Every order has its own indexes (migrations/0003_authorizations.sql), except that of the names of places. The one of
 * change dates also has its own table.
 */
export function sourcesOf(reach: Reach, narrowing: Narrowing, column: SortColumn): Source[] {
  const conditions = restOf(narrowing);
  const sources = isPlaceName(column)
    ? placesByName(column, reach).map((places) => ({ ...byName, ...places, conditions }))
    : inOrder(reach, column, conditions);
  if (reach.owner === undefined) return sources;
  const own = withKeys(column, sql`(select ${keyOf(column)} as key, a.id from ${ownOutside(reach, narrowing)} a)`);
  return [...sources, { from: own, key: sql`f.key`, id: sql`f.id`, holds: sql`true`, conditions: [] }];
}

const byName = { from: sql`authorizations a`, key: sql`r.key`, id: sql`a.id`, isOneKey: true };

function inOrder(reach: Reach, column: SortColumn, conditions: readonly Sql[]): Source[] {
  const sorted = column === "changeDate" ? byChangeDate(conditions.length > 0) : byColumn(column);
  if (reach.everything) return [{ ...sorted, holds: sql`true`, conditions }];
  return eachPlace(reach, sorted.as).map(({ kind, ...place }) => ({
    ...sorted,
    ...place,
    ...oneKey(column, kind),
    conditions,
  }));
}

function byColumn(column: SortColumn) {
  return { from: sql`authorizations a`, as: sql`a`, key: keyOf(column), id: sql`a.id` };
}

/** @param isWhole whether conditions on all columns of an authorization `a` follow */
function byChangeDate(isWhole: boolean) {
  const dates = sql`authorization_change_dates c`;
  const from = isWhole ? sql`${dates} join authorizations a on a.id = c.id` : dates;
  return { from, as: sql`c`, key: sql`c.change_date`, id: sql`c.id` };
}

function oneKey(column: SortColumn, kind: PlaceKind): Pick<Source, "each" | "key" | "isOneKey"> | undefined {
  if (column !== "organizationId" && (column !== "projectId" || kind !== "place")) return undefined;
  const id = raw(column === "projectId" ? "project_id" : "organization_id");
  return { each: sql`(select *, ${id} as key from reach) r`, key: sql`r.key`, isOneKey: true };
}

/**
 * The owner's authorizations that are in none of the places, as a table to call `a`. The owner has few of them, and
 * they should only be found by their user.
 */
export function ownOutside(reach: Reach, narrowing: Narrowing): Sql {
  const { organizationId, projectId } = narrowing;
  const conditions = [sql`not ${isInReach(reach, sql`a`)}`, ...restOf(narrowing)];
  if (organizationId !== undefined) conditions.push(sql`a.organization_id = ${organizationId}::text`);
  if (projectId !== undefined) conditions.push(sql`a.project_id = ${projectId}::text`);
  const own = reach.owner === undefined ? sql`false` : isOwn(reach.owner, sql`a`);
  return sql`(
      select * from (select * from authorizations a where ${own} offset 0) a where ${join(conditions, " and ")})`;
}

/** The conditions of filters that don't already narrow the reach. */
function restOf({ state, others }: Narrowing): Sql[] {
  // Written so that Postgres doesn't choose the index of states, which has an unsuitable order.
  const inState = state === undefined ? [] : [sql`(${matches({ kind: "state", state })}) is true`];
  return [...inState, ...others.map(matches)];
}

/**
 * The total of a list with no filters other than organization, project and state. It comes from the numbers that a
 * trigger maintains (migrations/0005_numbers.sql). Only the caller's own authorizations outside its scopes are counted
 * one by one. Expects the places as `reach`.
 */
export function keptTotal(reach: Reach, narrowing: Narrowing): Sql {
  const inState = narrowing.state === undefined ? sql`true` : sql`n.key = ${narrowing.state}::text`;
  const kept = (from: Sql, where: Sql) => sql`(
      select coalesce(sum(n.number), 0)::integer from ${from} where n.kind = 'state' and ${where} and ${inState})`;
  if (reach.everything) return kept(sql`numbers n`, sql`n.organization_id = '' and n.project_id = ''`);
  const parts: Sql[] = [];
  if (reach.places !== undefined) {
    const inPlace = sql`n.organization_id = r.organization_id and n.project_id = r.project_id`;
    parts.push(kept(sql`reach r cross join numbers n`, inPlace));
  }
  if (reach.owner !== undefined) {
    parts.push(sql`(select count(*)::integer from ${ownOutside(reach, narrowing)} a)`);
  }
  return join(parts, " + ");
}
