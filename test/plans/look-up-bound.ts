import type pg from "pg";
import sql, { join, type Sql } from "sql-template-tag";
import type { UserFilter } from "../../src/directory/look-ups.ts";
import { matchesAll } from "../../src/postgres/look-up/user-filters.ts";
import { textMatches, wordsMatch } from "../../src/postgres/page/comparisons.ts";
import { idsOf, reachEverything } from "../../src/postgres/seen/scopes.ts";
import { count } from "./bound.ts";
import type { Caller } from "./callers.ts";
import type { LookUpCase } from "./look-up-cases.ts";

/** Each thing may be read once for the page and once for the total, and as often again to find that it is seen. */
const times = 4;

/** A user that is looked at has some authorizations, of which one that is seen is looked for. */
const ofUser = 12;

/** For each user shown without a total so many are passed by: most callers here see a tenth of all users or more. */
const passed = 10;

/** What is read for each thing shown: a project's roles, grants, and the keys of these; of others the thing itself. */
const details = { organizations: 2, projects: 150, places: 150, users: 2 };

/** Own authorizations, and numbers that are kept. */
const always = 200;

/** Members are counted no further, to know what collecting users would cost (src/postgres/seen/users.ts). */
const mostMembers = 10_000;

/**
 * How many rows a look-up may examine that shows so many things: as many as are within reach, or as filters match when
 * that is fewer. Without filters and total the order of names is read, and only as far as the page goes.
 */
export function lookUpBound(
  { things, query }: LookUpCase,
  { reachable, matched, members }: Awaited<ReturnType<typeof measure>>,
  listed: number,
): number {
  const collected = times * reachable;
  const looked = things === "users" && matched !== undefined ? ofUser * matched : times * (matched ?? reachable);
  const paged = query.skipTotal && matched === undefined ? passed * ofUser * query.limit : collected;
  const counted = things === "users" ? Math.min(members, mostMembers) : 0;
  return Math.min(collected, looked, paged) + details[things] * listed + counted + always;
}

export async function measure(client: pg.Client, { things, query }: LookUpCase, caller: Caller) {
  const { scopes } = caller.visibility;
  const instance = reachEverything(scopes);
  const organizations = idsOf("organization", scopes);
  const isInReach = sql`${instance}::boolean or organization_id = any(${organizations}::text[])`;
  // Those who may change the grants of a project see all of them.
  const places = sql`
    select (select count(*) from projects where ${isInReach} or id = any(${idsOf("project", scopes)}::text[]))
      + (
        select count(*) from project_grants
        where ${isInReach} or id = any(${idsOf("projectGrant", scopes)}::text[])
          or owner_id = any(${organizations}::text[]) or project_id = any(${idsOf("project", scopes)}::text[])) as count`;
  const reached = {
    organizations: sql`
      select count(*) + ${scopes.length}::integer as count from organizations where ${instance}::boolean`,
    projects: places,
    places,
    users: sql`select count(*) + ${instance ? 0 : caller.held}::integer as count from users where ${isInReach}`,
  };
  return {
    /** How many things are within a caller's reach, with the authorizations it holds there. */
    reachable: await count(client, reached[things]),
    /** How many users belong to the organizations of the caller's scopes. */
    members: await count(client, sql`select count(*) from users where organization_id = any(${organizations}::text[])`),
    /** How many of all things the filters match; undefined without any. */
    matched: query.filters.length === 0 ? undefined : await count(client, matching(things, query.filters)),
  };
}

function matching(things: LookUpCase["things"], filters: LookUpCase["query"]["filters"]): Sql {
  if (things === "users") return sql`select count(*) from users u where ${matchesAll(filters as UserFilter[])}`;
  const table = things === "organizations" ? sql`organizations t` : sql`projects t`;
  const conditions = filters.map((filter) => {
    if ("match" in filter) return textMatches(sql`t.name`, filter.match);
    if ("text" in filter) return wordsMatch(sql`t.words`, filter.text);
    if ("ids" in filter) return sql`t.id = any(${filter.ids}::text[])`;
    return sql`true`;
  });
  return sql`select count(*) from ${table} where ${join(conditions, " and ")}`;
}
