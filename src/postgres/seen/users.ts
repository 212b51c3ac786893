import sql, { join, raw, type Sql } from "sql-template-tag";
import { type Caller, holdsAnywhere, type Visibility, visibilityOf } from "../../authorization/permissions.ts";
import { authorizations } from "./places.ts";
import { eachPlace, isSeen, reachOf, reachTable } from "./reach.ts";
import { isOwn, isReached, isVisible, reachEverything } from "./scopes.ts";

/**
 * True for a user `u`, found by its exact id, that the caller may know of: itself, users of organizations where it may
 * read through an entry on them or on the instance, users of authorizations it sees, and, if it may write in any scope,
 * any user.
 */
export function mayKnow(caller: Caller): Sql {
  if (mayKnowAnyone(caller)) return sql`true`;
  const visibility = visibilityOf(caller);
  // The user has few authorizations, and they should only be found by their user.
  return sql`(
    u.id = ${caller.userId}::text
    or ${isReached("users", sql`u`, visibility.scopes)}
    or exists (
      select from (select * from authorizations where user_id = u.id offset 0) a where ${isVisible(visibility)}))`;
}

/** Whether the caller may know of every user. */
export function mayKnowAnyone(caller: Caller): boolean {
  return reachEverything(visibilityOf(caller).scopes) || holdsAnywhere(caller, "user.grant.write");
}

export type SeenUsers = ReturnType<typeof seenUsers>;

const mostMembers = raw("10000");

/**
 * The users that a caller without an entry on the instance sees: those of the organizations in the scopes, and those of the
 * authorizations in the scopes and of the caller's own ones.
 */
export function seenUsers(visibility: Visibility) {
  const { scopes } = visibility;
  const reach = reachOf(visibility, {}, authorizations);
  const isMember = isReached("users", sql`u`, scopes);
  const members = sql`select u.id from users u where ${isMember}`;
  // Members are visible without looking at their authorizations.
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
        select coalesce(sum(n.number), 0)::bigint
        from reach r
        join numbers n on n.kind = 'state' and n.organization_id = r.organization_id and n.project_id = r.project_id)`;
  const counted = sql`(select count(*) from (${members} limit ${mostMembers}) members)`;
  const numbers = [sql`1`, counted, ...(reach.places === undefined ? [] : [held])];
  return {
    /** The last one is `seen`, with the id of every visible user, once. */
    tables: [
      ...reachTable(reach),
      sql`size as materialized (select ${join(numbers, " + ")} as size)`,
      sql`seen as materialized (
      ${members} union all select distinct user_id from (${join([own, ...guests], " union all ")}) guests)`,
    ],
    /**
     * True for a visible user `u`. The offset keeps Postgres from finding all visible authorizations first, only to look up
     * a few users in them. One index has all columns that the condition needs.
     */
    isSeen: sql`(${isMember} or exists (
        select from authorizations a where a.user_id = u.id and ${isSeen(reach, sql`a`)} offset 0))`,
    /**
     * How many users to check before collecting all visible ones: a quarter of the rows that collecting would read.
     * Stored numbers say how many those are (migrations/0005_numbers.sql). Members are counted only as far as needed.
     */
    looks: sql`(select size / 4 from size)`,
  };
}
