import sql, { join, raw, type Sql } from "sql-template-tag";
import type { Visibility } from "../authorization/permissions.ts";
import { narrow, reachOf } from "./reach.ts";
import { scopeIds } from "./scope-ids.ts";

/** Who is seen by a caller without an entry on the instance. */
export type SeenUsers = {
  /** The last one is `seen`, with the id of every user that is seen, once. */
  readonly tables: readonly Sql[];
  /** True for a user `u` that is seen. */
  readonly isSeen: Sql;
  /**
   * How many users to look at before all that are seen are collected: a quarter of the rows that are to be read for
   * these. Kept numbers say how many (migrations/0005_numbers.sql); members are not counted further than it takes.
   */
  readonly looks: Sql;
};

const mostMembers = raw("10000");

/**
 * Users of the organizations among the scopes, and whoever has an authorization in one of the scopes. Whoever asks is
 * seen by itself when it has an authorization.
 */
export function seenUsers(visibility: Visibility): SeenUsers {
  const { userId, scopes } = visibility;
  const { organizations } = scopeIds(scopes);
  const { places } = reachOf(visibility, narrow([]));
  const isMember = sql`u.organization_id = any(${organizations}::text[])`;
  const members = sql`select u.id from users u where ${isMember}`;
  // Of members it is known without looking at what they hold.
  const isGuest = organizations.length === 0 ? sql`true` : sql`a.user_organization_id <> all(${organizations}::text[])`;
  const guests = [
    sql`
        select a.user_id from authorizations a where a.user_id = ${userId}::text and ${isGuest}`,
  ];
  if (places !== undefined) guests.push(...guestsInReach(isGuest));
  const held = sql`(
        select coalesce(sum(n.number), 0)::bigint
        from reach r
        join numbers n on n.kind = 'state' and n.organization_id = r.organization_id and n.project_id = r.project_id)`;
  const numbers = [sql`1`, ...(places === undefined ? [] : [held])];
  if (organizations.length > 0) numbers.push(sql`(select count(*) from (${members} limit ${mostMembers}) members)`);
  const ways = [sql`a.user_id = ${userId}::text`];
  if (organizations.length > 0) ways.push(sql`a.organization_id = any(${organizations}::text[])`);
  if (places !== undefined) {
    ways.push(sql`(a.organization_id, a.project_id) in (select organization_id, project_id from reach)`);
  }
  return {
    tables: [
      ...(places === undefined ? [] : [sql`reach as materialized (${places})`]),
      sql`size as materialized (select ${join(numbers, " + ")} as size)`,
      sql`seen as materialized (
      ${members} union all select distinct user_id from (${join(guests, " union all ")}) guests)`,
    ],
    // An offset keeps Postgres from finding all visible authorizations first, to look few users up in them. What is asked
    // of an authorization is in one index.
    isSeen: sql`(${isMember} or exists (
        select from authorizations a where a.user_id = u.id and (${join(ways, " or ")}) offset 0))`,
    looks: sql`(select size / 4 from size)`,
  };
}

function guestsInReach(isGuest: Sql): Sql[] {
  return [
    sql`
        select a.user_id from reach r join authorizations a on a.organization_id = r.organization_id
        where r.project_id = '' and a.user_organization_id <> a.organization_id and ${isGuest}`,
    sql`
        select a.user_id
        from reach r
        join authorizations a on a.organization_id = r.organization_id and a.project_id = r.project_id
        where r.project_id <> '' and ${isGuest}`,
  ];
}
