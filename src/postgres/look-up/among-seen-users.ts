import sql, { type Sql } from "sql-template-tag";
import type { Visibility } from "../../authorization/permissions.ts";
import type { LookUpQuery, UserFilter } from "../../directory/look-ups.ts";
import { bigint, countOf, rowsFor } from "../page/page.ts";
import { type SeenUsers, seenUsers } from "../seen/users.ts";
import { isBehindName, type NameList } from "./name-list.ts";
import { isBehindUser, matchesAll } from "./user-filters.ts";

type Query = LookUpQuery<UserFilter>;
type Found = Pick<NameList, "tables" | "total">;

/**
 * Finds users that the caller sees, in one of two ways. One checks users one by one, those that match the filters or in
 * the order of names. The other collects all users that the caller sees. The number of checks is limited to a fraction
 * of the number to collect, so checking in vain never costs more than collecting.
 *
 * @param few without a total, up to this many matching users are all read
 */
export function amongSeen(visibility: Visibility, query: Query, few: Sql): Found {
  const users = seenUsers(visibility);
  const isFiltered = query.filters.length > 0;
  if (isFiltered && !query.skipTotal) return { ...allThatMatch(users, query), total: countOf(sql`found`) };
  const { tables, isSeen, looks } = users;
  const ifMany = isFiltered ? sql`not (select enough from matched)` : sql`true`;
  const rows = bigint(rowsFor(query));
  const fewMatch = sql`select key, id from first u where (select enough from matched) and ${isSeen}
        and ${isBehindName(query, sql`u.key`, sql`u.id`)} union all `;
  return {
    tables: [
      ...tables,
      ...(isFiltered ? lookAtMatches(query, sql`least(${looks}, ${few})`) : []),
      sql`nearest as materialized (
      select fold_case(u.display_name) as key, u.* from users u
      where ${ifMany} and ${isBehindUser(query)}
      order by fold_case(u.display_name), u.id
      limit ${looks})`,
      // Read in the order in which they were found, and only until there are enough.
      sql`near as materialized (
      select key, id from nearest u where ${matchesAll(query.filters)} and ${isSeen} limit ${rows})`,
      sql`looked as materialized (
      select case when (select count(*) from near) = ${rows} then true
        else (select count(*) from nearest) < ${looks} end as enough)`,
      sql`candidates as (
      ${isFiltered ? fewMatch : sql``}select key, id from near where (select enough from looked)
      union all
      ${collect(query, sql`${ifMany} and not (select enough from looked)`)} and ${isBehindUser(query)})`,
    ],
    total: countOf(sql`seen`),
  };
}

function allThatMatch({ tables, isSeen, looks }: SeenUsers, query: Query): Pick<Found, "tables"> {
  return {
    tables: [
      ...tables,
      ...lookAtMatches(query, looks),
      sql`found as materialized (
      select key, id from first u where (select enough from matched) and ${isSeen}
      union all ${collect(query, sql`not (select enough from matched)`)})`,
      sql`candidates as (select key, id from found where ${isBehindName(query, sql`key`, sql`id`)})`,
    ],
  };
}

/** Reads users that match the filters, up to one more than `most`, and whether these are all of them. */
function lookAtMatches(query: Query, most: Sql): Sql[] {
  // Planned for all matches of texts, however few are read: a plan for only the first ones is a gamble.
  const how = query.filters.some((filter) => "match" in filter || "text" in filter)
    ? sql`materialized`
    : sql`not materialized`;
  return [
    sql`matching as ${how} (
      select fold_case(u.display_name) as key, u.id, u.organization_id from users u where ${matchesAll(query.filters)})`,
    sql`first as materialized (select * from matching where ${most} > 0 limit ${most} + 1)`,
    sql`matched as materialized (select ${most} > 0 and (select count(*) from first) <= ${most} as enough)`,
  ];
}

/**
 * Selects all users that the caller sees and that match the filters. Each is looked up by id, whatever Postgres expects
 * of the filters.
 */
function collect(query: Query, when: Sql): Sql {
  return sql`
      select fold_case(u.display_name) as key, u.id
      from (select id from seen where ${when}) s
      cross join lateral (select u.* from users u where u.id = s.id offset 0) u
      where ${matchesAll(query.filters)}`;
}
