import sql, { join, raw, type Sql } from "sql-template-tag";
import { type Caller, holdsAnywhere, type Visibility, visibilityOf } from "../../authorization/permissions.ts";
import { authorizations } from "./places.ts";
import { eachPlace, isSeen, reachOf, reachTable } from "./reach.ts";
import { isOwn, isReached, isVisible, reachEverything } from "./scopes.ts";

/**
 * True for a user `u` that is named by its exact id and that the caller may know of: itself, users of organizations
 * where it may read by an entry on them or on the instance, users of authorizations it sees, and, when it may write
 * anywhere, any user.
 */
export function mayKnow(caller: Caller): Sql {
  if (mayKnowAnyone(caller)) return sql`true`;
  const visibility = visibilityOf(caller);
  // The user's authorizations are few, and to be found by nothing but their user.
  return sql`(
    u.id = ${caller.userId}::text
    or ${isReached("users", sql`u`, visibility.scopes)}
    or exists (
      select from (select * from authorizations where user_id = u.id offset 0) a where ${isVisible(visibility)}))`;
}

/** Whether the caller may know of every user there is. */
export function mayKnowAnyone(caller: Caller): boolean {
  return reachEverything(visibilityOf(caller).scopes) || holdsAnywhere(caller, "user.grant.write");
}

/** Who is seen by a caller without an entry on the instance. */
export type SeenUsers = {
  /** The last one is `seen`, with the id of every user that is seen, once. */
  readonly tables: readonly Sql[];
  /** True for a user `u` that is seen. */
  readonly isSeen: Sql;
  /**
   * How many users to look at before all that are seen are collected: a quarter of the rows that are to be read for
   * these. Kept numbers say how many (migrations/0004_pages_and_totals.sql); members are not counted further than it takes.
   */
  readonly looks: Sql;
};

const mostMembers = raw("10000");

/** Users of the organizations among the scopes, and users of authorizations in one of the scopes or of its own. */
export function seenUsers(visibility: Visibility): SeenUsers {
  const { scopes } = visibility;
  const reach = reachOf(visibility, {}, authorizations);
  const isMember = isReached("users", sql`u`, scopes);
  const members = sql`select u.id from users u where ${isMember}`;
  // Of members it is known without looking at what they hold.
  const isGuest = sql`not ${isReached("holders", sql`a`, scopes)}`;
  const guests = eachPlace(reach, sql`a`).map(
    ({ kind, each, places, holds }) => sql`
        select a.user_id from ${each} join authorizations a on ${holds}
        where ${places} and ${isGuest}
          and ${kind === "organization" ? sql`a.user_organization_id <> a.organization_id` : sql`true`}`,
  );
  const own = sql`
        select a.user_id from authorizations a where ${isOwn(visibility, sql`a`)} and ${isGuest}`;
  const held = sql`(
        select coalesce(sum(c.count), 0)::bigint
        from reach r
        join authorization_counts c on c.project_id = r.project_id and c.organization_id = r.organization_id)`;
  const counted = sql`(select count(*) from (${members} limit ${mostMembers}) members)`;
  const numbers = [sql`1`, counted, ...(reach.places === undefined ? [] : [held])];
  return {
    tables: [
      ...reachTable(reach),
      sql`size as materialized (select ${join(numbers, " + ")} as size)`,
      sql`seen as materialized (
      ${members} union all select distinct user_id from (${join([own, ...guests], " union all ")}) guests)`,
    ],
    // An offset keeps Postgres from finding all visible authorizations first, to look few users up in them. What is asked
    // of an authorization is in one index.
    isSeen: sql`(${isMember} or exists (
        select from authorizations a where a.user_id = u.id and ${isSeen(reach, sql`a`)} offset 0))`,
    looks: sql`(select size / 4 from size)`,
  };
}
