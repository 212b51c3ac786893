import sql, { join, raw, type Sql } from "sql-template-tag";
import type { Scope, Visibility } from "../../authorization/permissions.ts";
import type { AdministratorQuery } from "../../directory/store.ts";
import type { Source } from "../page/top-of-sources.ts";
import { textOfScope } from "../seen/entries.ts";
import { idsOf, reachEverything } from "../seen/scopes.ts";

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
 * A filter by scope or user leads to the entries.
 */
export function administratorSources(visibility: Visibility, query: Narrowed): AdministratorSources {
  const { userId, scope } = query;
  const filters = filtersOf(query);
  const only = (...sources: Source[]) => ({ tables: [], sources, places: 1 });
  const found = (...conditions: Sql[]): Source => ({ ...inOrder, holds: join(filters, " and "), conditions });
  if (reachEverything(visibility.scopes)) return only(found());
  const isMe = sql`a.user_id = ${visibility.userId}::text`;
  const own: Source = { ...inOrder, holds: join([isMe, ...filters], " and "), conditions: [] };
  if (userId === visibility.userId) return only(own);
  if (scope !== undefined) return only(own, othersInScope(visibility, scope, filters));
  // A user has few entries, so each of them is checked.
  if (userId !== undefined) return only(found(isInScopes(visibility.scopes)));
  const others = inPlaces(visibility, query, filters);
  return { ...others, sources: [own, ...others.sources] };
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
function othersInScope({ userId, scopes }: Visibility, scope: Scope, filters: readonly Sql[]): Source {
  const text = textOfScope(scope);
  const isHeld = scopes.some((held) => textOfScope(held) === text);
  const holds = join([sql`a.user_id <> ${userId}::text`, ...filters], " and ");
  const when = isHeld ? sql`true` : isWithin(scope, idsOf("organization", scopes));
  return { ...inOrder, holds, conditions: [], when };
}

function isWithin(scope: Scope, organizations: readonly string[]): Sql {
  const home = (table: string, id: string) => sql`coalesce((
        select organization_id from ${raw(table)} where id = ${id}::text) = any(${organizations}::text[]), false)`;
  if (scope.kind === "project") return home("projects", scope.projectId);
  return scope.kind === "projectGrant" ? home("project_grants", scope.projectGrantId) : sql`false`;
}

/** True for an entry `a` within one of the scopes. */
function isInScopes(scopes: readonly Scope[]): Sql {
  return sql`(a.home_id = any(${idsOf("organization", scopes)}::text[])
      or a.scope in (select unnest(${singleOf(scopes)}::text[])))`;
}

/** The projects and the grants among the scopes. */
function singleOf(scopes: readonly Scope[]): string[] {
  return scopes.filter(({ kind }) => kind !== "organization").map(textOfScope);
}

/**
 * Each organization, and each scope that is in none of them, provides its entries in order. Those of the caller itself are
 * left out.
 */
function inPlaces({ userId, scopes }: Visibility, query: Narrowed, filters: readonly Sql[]): AdministratorSources {
  const { ascending, after } = query;
  const [organizations, single] = [idsOf("organization", scopes), singleOf(scopes)];
  const isOther = sql`a.user_id <> ${userId}::text`;
  const place = (kind: string, ...holds: readonly Sql[]): Source => ({
    ...inOrder,
    each: sql`places r`,
    places: sql`r.kind = ${raw(`'${kind}'`)}`,
    holds: join([...holds, isOther], " and "),
    conditions: filters,
  });
  // The index of scopes has another order than the page, so it also needs the user alone to know where to start.
  const fromThere = after === undefined ? [] : [sql`a.user_id ${raw(ascending ? ">=" : "<=")} ${after.userId}::text`];
  return {
    tables: [
      sql`places as materialized (
      select 'organization' as kind, place from unnest(${organizations}::text[]) as place
      union all
      select 'scope', scope from administrators
      where user_id = ${userId}::text and scope in (select unnest(${single}::text[])) and home_id <> all(${organizations}::text[]))`,
    ],
    sources: [place("organization", sql`a.home_id = r.place`), place("scope", sql`a.scope = r.place`, ...fromThere)],
    places: organizations.length + single.length,
  };
}
