import sql, { join, raw, type Sql } from "sql-template-tag";
import type { Scope, Visibility } from "../../authorization/permissions.ts";
import type { AdministratorQuery } from "../../directory/store.ts";
import type { Source } from "../page/top-of-sources.ts";
import { type Crowd, letsRead, partsOf, readableOfCrowd, type ScopeParts, textOfScope } from "../seen/crowd.ts";

type AdministratorSources = {
  /** The tables they need, in order. */
  readonly tables: readonly Sql[];
  readonly sources: readonly Source[];
  /** About how many places there are. */
  readonly places: number;
};

type Narrowed = Pick<AdministratorQuery, "userId" | "scope" | "role" | "ascending" | "after">;

/** Entries `a` by user, and those of a user by scope (migrations/0002_callers.sql). */
const inOrder = { from: sql`administrators a`, key: sql`a.user_id`, id: sql`a.scope` };

/**
 * Where a list finds the entries that the caller sees: among its own, and among those of other users within its scopes.
 * These are in the homes of entries that are its organizations, and in its other scopes. A filter by scope or user leads
 * to the entries, if that is cheaper.
 */
export function administratorSources(visibility: Visibility, query: Narrowed): AdministratorSources {
  const { userId, scope } = query;
  const parts = partsOf(visibility.scopes);
  const filters = filtersOf(query);
  if (parts.everything) {
    return { tables: [], sources: [{ ...inOrder, holds: join(filters, " and "), conditions: [] }], places: 1 };
  }
  const isMe = sql`a.user_id = ${visibility.userId}::text`;
  const own: Source = { ...inOrder, holds: join([isMe, ...filters], " and "), conditions: [] };
  if (userId === visibility.userId) return { tables: [], sources: [own], places: 1 };
  if (scope !== undefined) return inScope(visibility, scope, [own], filters);
  const others = inPlaces(visibility, parts, query);
  if (userId === undefined) return { ...others, sources: [own, ...others.sources] };
  return ofUser(userId, visibility, parts, others, filters);
}

/** All filters as conditions. A role is compared in a way for which Postgres doesn't leave the order of entries. */
function filtersOf({ userId, scope, role }: Narrowed): Sql[] {
  const filters = [sql`true`];
  if (userId !== undefined) filters.push(sql`a.user_id = ${userId}::text`);
  if (scope !== undefined) filters.push(sql`a.scope = ${textOfScope(scope)}::text`);
  if (role !== undefined) filters.push(sql`${role}::text = any(a.roles)`);
  return filters;
}

/** The entries of others in one scope, if the caller holds it or an organization that it is in. */
function inScope(
  { userId, scopes }: Visibility,
  scope: Scope,
  own: readonly Source[],
  filters: readonly Sql[],
): AdministratorSources {
  const { organizations } = partsOf(scopes);
  const text = textOfScope(scope);
  const isHeld = scopes.some((held) => textOfScope(held) === text);
  const holds = join([sql`a.user_id <> ${userId}::text`, ...filters], " and ");
  const others = { ...inOrder, holds, conditions: [], when: isHeld ? sql`true` : isWithin(scope, organizations) };
  return { tables: [], sources: [...own, others], places: 1 };
}

function isWithin(scope: Scope, organizations: readonly string[]): Sql {
  const home = (table: string, id: string) => sql`coalesce((
        select organization_id from ${raw(table)} where id = ${id}::text) = any(${organizations}::text[]), false)`;
  if (scope.kind === "project") return home("projects", scope.projectId);
  return scope.kind === "projectGrant" ? home("project_grants", scope.projectGrantId) : sql`false`;
}

/**
 * Each place provides its entries in order. Those of the caller itself are left out; if it has many there, they are
 * skipped at once.
 */
function inPlaces({ userId }: Visibility, parts: ScopeParts, query: Narrowed): AdministratorSources {
  const { organizations, single, crowd } = parts;
  const { userId: asked, role, ascending, after } = query;
  const filters = filtersOf({ ...query, scope: undefined, userId: undefined, role });
  const ofAsked = asked === undefined ? [] : [sql`a.user_id = ${asked}::text`];
  const place = (kind: string, ...holds: Sql[]): Source => ({
    ...inOrder,
    each: sql`places r`,
    places: sql`r.kind = ${raw(`'${kind}'`)}`,
    holds: join([...holds, ...ofAsked], " and "),
    conditions: filters,
  });
  const inHome = sql`a.home_id = r.place`;
  const sides = [sql`a.user_id < ${userId}::text`, sql`a.user_id > ${userId}::text`];
  // The index of scopes has another order than the page, so it also needs the user alone to know where to start.
  const fromThere = after === undefined ? [] : [sql`a.user_id ${raw(ascending ? ">=" : "<=")} ${after.userId}::text`];
  return {
    tables: [...(crowd === undefined ? [] : [crowdTable(userId, crowd)]), placesTable(userId, parts)],
    sources: [
      ...sides.map((side, number) => place(`organization ${number}`, inHome, side)),
      ...(crowd === undefined
        ? []
        : sides.map((side, number) => place(`crowd ${number}`, inHome, side, isMine(userId)))),
      place("scope", sql`a.scope = r.place`, sql`a.user_id <> ${userId}::text`, ...fromThere),
    ],
    places: 2 * organizations.length + single.length + (crowd?.homes.length ?? 0),
  };
}

function placesTable(userId: string, { organizations, single, crowd }: ScopeParts): Sql {
  const sides = (kind: string, ids: readonly string[]) => sql`
      select kind, place from unnest(${ids}::text[]) as place
      cross join (values (${raw(`'${kind} 0'`)}), (${raw(`'${kind} 1'`)})) as side (kind)`;
  const parts = [
    sides("organization", organizations),
    sql`
      select 'scope', place from unnest(${single.map(textOfScope)}::text[]) as place`,
  ];
  if (crowd !== undefined) {
    parts.push(
      sql`${sides("crowd", crowd.homes)} where (select is_by_home from crowd)`,
      sql`
      select 'scope', m.scope from ${readableOfCrowd(userId, crowd)} and not (select is_by_home from crowd)`,
    );
  }
  return sql`places as materialized (${join(parts, " union all ")})`;
}

/**
 * Where the caller has many entries in one organization, it is usually cheaper to go through the entries of other users
 * there, and to look each one up among the caller's own. If those are too many, the caller's entries are gone through.
 */
function crowdTable(userId: string, { homes, size }: Crowd): Sql {
  const others = ["<", ">"].map(
    (side) => sql`
        select from administrators a
        where a.home_id = any(${homes}::text[]) and a.user_id ${raw(side)} ${userId}::text`,
  );
  return sql`crowd as materialized (
      select count(*) <= ${2 * size}::bigint as is_by_home
      from (${join(others, " union all ")} limit ${2 * size}::bigint + 1) others)`;
}

/** True for an entry `a` in a scope where the caller may read through an entry on exactly this scope. */
function isMine(userId: string): Sql {
  // The offset keeps Postgres from reading all entries of the caller.
  return sql`exists (
        select from administrators m
        where m.user_id = ${userId}::text and m.scope = a.scope and ${letsRead} offset 0)`;
}

/** The entries of one other user: its own few are checked, or each place is asked, whichever is less. */
function ofUser(
  asked: string,
  { userId }: Visibility,
  { organizations, single, crowd }: ScopeParts,
  inPlaces: AdministratorSources,
  filters: readonly Sql[],
): AdministratorSources {
  const most = 2 * (inPlaces.places + (crowd?.size ?? 0));
  const isFew = sql`(select is_few from asked)`;
  const ways = [sql`a.home_id = any(${organizations}::text[])`, sql`a.scope = any(${single.map(textOfScope)}::text[])`];
  if (crowd !== undefined) ways.push(sql`(a.home_id = any(${crowd.homes}::text[]) and ${isMine(userId)})`);
  const checked: Source = {
    ...inOrder,
    holds: join(filters, " and "),
    conditions: [sql`(${join(ways, " or ")})`],
    when: isFew,
  };
  return {
    tables: [
      sql`asked as materialized (
      select count(*) <= ${most}::bigint as is_few
      from (select from administrators where user_id = ${asked}::text limit ${most}::bigint + 1) its)`,
      ...inPlaces.tables,
    ],
    sources: [checked, ...inPlaces.sources.map((source) => ({ ...source, when: sql`not ${isFew}` }))],
    places: inPlaces.places,
  };
}
