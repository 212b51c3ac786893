import sql, { join, raw, type Sql } from "sql-template-tag";
import type { Sort, SortColumn } from "../../authorization/list.ts";
import type { Source } from "../page/top-of-sources.ts";
import { changeDateAt, dateOfEnd, isDue } from "../pool/expiry.ts";
import { primaryNow } from "../pool/primary-time.ts";
import { eachPlace, isInReach, type PlaceKind, type Reach } from "../seen/reach.ts";
import { isOwn } from "../seen/scopes.ts";
import { matches } from "./matching.ts";
import type { Narrowing } from "./normal-form.ts";
import { isPlaceName, placesByName, withKeys } from "./place-names.ts";

/**
 * The value that an authorization `a` is sorted by. For the name of its project or organization, the id that leads
 * there.
 */
export function keyOf({ column, ascending }: Sort): Sql {
  if (column === "changeDate") return changeDateAt(sql`a`, primaryNow);
  if (column === "expirationDate") return sql`coalesce(a.expiration_date, ${noEnd(ascending)})`;
  return raw(sortColumns[column]);
}

/** Behind every end in the order of a list. */
function noEnd(ascending: boolean): Sql {
  return raw(`timestamptz '${ascending ? "9999-12-31" : "0001-01-01"} 00:00:00Z'`);
}

const sortColumns: Record<Exclude<SortColumn, "changeDate" | "expirationDate">, string> = {
  creationDate: "a.creation_date",
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
export function sourcesOf(reach: Reach, narrowing: Narrowing, sort: Sort): Source[] {
  const { column } = sort;
  const conditions = restOf(narrowing);
  const sources: Source[] = isPlaceName(column)
    ? placesByName(column, reach).map((places) => ({ ...byName, ...places, conditions }))
    : inOrder(reach, sort, conditions);
  if (column === "changeDate") sources.push(ofTable(dueInReach(reach, conditions)));
  if (reach.owner === undefined) return sources;
  return [
    ...sources,
    ofTable(withKeys(column, sql`(select ${keyOf(sort)} as key, a.id from ${ownOutside(reach, narrowing)} a)`)),
  ];
}

function ofTable(table: Sql): Source {
  return { from: table, key: sql`f.key`, id: sql`f.id`, holds: sql`true`, conditions: [] };
}

/**
 * The authorizations that are due: their end has passed, but what is stored doesn't say so yet. Almost always there are
 * none. What is read from the stored change dates and totals is corrected by them.
 */
export const dueTable: readonly Sql[] = [
  sql`due as materialized (
      select a.id, a.organization_id, a.project_id, ${dateOfEnd(sql`a`)} as key
      from authorizations a where ${isDue(sql`a`, primaryNow)})`,
];

function dueInReach(reach: Reach, conditions: readonly Sql[]): Sql {
  const isThere = reach.everything ? sql`true` : isInReach(reach, sql`due`);
  if (conditions.length === 0) return sql`(select key, id from due where ${isThere}) f`;
  return sql`(
        select due.key, due.id from due cross join lateral (select * from authorizations where id = due.id offset 0) a
        where ${join([isThere, ...conditions], " and ")}) f`;
}

const byName = { from: sql`authorizations a`, key: sql`r.key`, id: sql`a.id`, isOneKey: true };

function inOrder(reach: Reach, sort: Sort, conditions: readonly Sql[]): Source[] {
  if (sort.column === "expirationDate") {
    const dated = { ...byColumn(sort), key: sql`a.expiration_date` };
    const others = { ...byColumn(sort), key: noEnd(sort.ascending), isOneKey: true };
    return [
      ...inEach(reach, dated, () => ({}), [sql`a.expiration_date is not null`, ...conditions]),
      ...inEach(reach, others, () => ({ each: sql`(select *, ${others.key} as key from reach) r`, key: sql`r.key` }), [
        sql`a.expiration_date is null`,
        ...conditions,
      ]),
    ];
  }
  const sorted = sort.column === "changeDate" ? byChangeDate(conditions.length > 0) : byColumn(sort);
  return inEach(reach, sorted, (kind) => oneKey(sort.column, kind), [...(sorted.rest ?? []), ...conditions]);
}

type Sorted = Pick<Source, "from" | "key" | "id" | "isOneKey"> & { readonly as: Sql; readonly rest?: readonly Sql[] };

/** @param key what is special about the key in each kind of place */
function inEach(
  reach: Reach,
  { as, rest: _, ...sorted }: Sorted,
  key: (kind: PlaceKind) => Partial<Source> | undefined,
  conditions: readonly Sql[],
): Source[] {
  if (reach.everything) return [{ ...sorted, holds: sql`true`, conditions }];
  return eachPlace(reach, as).map(({ kind, ...place }) => ({ ...sorted, ...place, ...key(kind), conditions }));
}

function byColumn(sort: Sort): Sorted {
  return { from: sql`authorizations a`, as: sql`a`, key: keyOf(sort), id: sql`a.id` };
}

/**
 * Those that are due come from their own table. The offset has each date looked up, and only if any is due.
 *
 * @param isWhole whether conditions on all columns of an authorization `a` follow
 */
function byChangeDate(isWhole: boolean): Sorted {
  const dates = sql`authorization_change_dates c`;
  const from = isWhole ? sql`${dates} join authorizations a on a.id = c.id` : dates;
  const isOutdated = sql`exists (select from authorizations d where d.id = c.id and ${isDue(sql`d`, primaryNow)} offset 0)`;
  const rest = [sql`(not exists (select from due) or not ${isOutdated})`];
  return { from, as: sql`c`, key: sql`c.change_date`, id: sql`c.id`, rest };
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

/**
 * From and where of the authorizations `a` in each kind of place, and of the caller's own elsewhere.
 *
 * @param indexed a condition that an index of each place can use
 */
export function rowsInReach(reach: Reach, narrowing: Narrowing, indexed = sql`true`): Sql[] {
  const rows = eachPlace(reach, sql`a`).map(
    ({ each, places, holds }) => sql`
      from ${each} cross join lateral (select * from authorizations a where ${holds} and ${indexed} offset 0) a
      where ${join([places, ...restOf(narrowing)], " and ")}`,
  );
  return reach.owner === undefined ? rows : [...rows, sql`from ${ownOutside(reach, narrowing)} a where true`];
}

/**
 * Selects all matches of a list by state, with their keys. The index of states also has their places. Without them, Postgres
 * would read its entries of all places.
 */
export function matchesInState(reach: Reach, narrowing: Narrowing, sort: Sort): Sql {
  const isActive = narrowing.state === "active";
  const stored = rowsInReach(reach, narrowing, isActive ? sql`a.state = 'active'` : sql`a.state = 'inactive'`);
  const due = sql`
      from due cross join lateral (select * from authorizations where id = due.id offset 0) a
      where ${isInReach(reach, sql`due`)}`;
  const rows = (isActive ? stored : [...stored, due]).map((each) => sql`select ${keyOf(sort)} as key, a.id ${each}`);
  return join(rows, " union all ");
}

/** The conditions of filters that don't already narrow the reach. */
function restOf({ state, others }: Narrowing): Sql[] {
  // Written so that Postgres doesn't choose the index of states, which has an unsuitable order.
  const inState = state === undefined ? [] : [sql`(${matches({ kind: "state", state })}) is true`];
  return [...inState, ...others.map(matches)];
}

/**
 * The total of a list with no filters other than organization, project and state. It comes from the numbers that a
 * trigger maintains (migrations/0005_numbers.sql), corrected by what is due. Only the caller's own authorizations outside
 * its scopes are counted one by one. Expects the places as `reach`.
 */
export function keptTotal(reach: Reach, narrowing: Narrowing): Sql {
  const { state } = narrowing;
  if (state === undefined) return storedTotal(reach, narrowing);
  const due = sql`(select count(*)::integer from ${dueInReach(reach, [])})`;
  return sql`${storedTotal(reach, narrowing)} ${raw(state === "active" ? "-" : "+")} ${due}`;
}

function storedTotal(reach: Reach, narrowing: Narrowing): Sql {
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
