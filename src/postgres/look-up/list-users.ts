import sql, { raw, type Sql } from "sql-template-tag";
import type { Visibility } from "../../authorization/permissions.ts";
import type { LookUpQuery, UserFilter } from "../../directory/look-ups.ts";
import { bigint, countOf, rowsFor } from "../page/page.ts";
import { columnsOfUser, toUser, type UserRow } from "../seen/named-entries.ts";
import { idsOf, reachEverything } from "../seen/scopes.ts";
import { amongSeen } from "./among-seen-users.ts";
import { byName, isBehindName, lookUp, type NameList, rowOf } from "./name-list.ts";
import { isBehindUser, matchesAll } from "./user-filters.ts";

type Query = LookUpQuery<UserFilter>;
type Row = UserRow & { readonly id: string; readonly key: string };

export const listUsers = lookUp(userList, (row: Row) => toUser(row));

/**
 * Without a total, up to this many matching users are read and sorted. If there are more, the index of names is used.
 * The result is the same for any number.
 */
export const fewUsers = 2_000;

/** The parts of the statement, also for tests of its plans. */
export function userList(visibility: Visibility | "everybody", query: Query): NameList {
  const few = raw(String(fewUsers));
  const found =
    visibility === "everybody" || seesAllThatMatch(visibility, query.filters)
      ? amongAll(query, few)
      : amongSeen(visibility, query, few);
  return {
    ...found,
    order: byName,
    listed: sql`
      select page.position, page.key, page.id, ${columnsOfUser} from page cross join lateral (${rowOf(sql`users`)}) u`,
  };
}

/** With an entry on the instance, callers see every user; with one on an organization, its users. */
function seesAllThatMatch({ scopes }: Visibility, filters: readonly UserFilter[]): boolean {
  if (reachEverything(scopes)) return true;
  return filters.some(
    (filter) => filter.kind === "organizationId" && idsOf("organization", scopes).includes(filter.id),
  );
}

/** All users, or those of one organization, are read in the order of an index. */
function amongAll(query: Query, few: Sql): Pick<NameList, "tables" | "total"> {
  const conditions = matchesAll(query.filters);
  const inOrder = (condition: Sql) => sql`
      select fold_case(u.display_name) as key, u.id from users u
      where ${condition} and ${conditions} and ${isBehindUser(query)}
      order by fold_case(u.display_name), u.id
      limit ${bigint(rowsFor(query))}`;
  if (query.filters.every(({ kind }) => kind === "organizationId")) {
    return {
      tables: [sql`candidates as not materialized (${inOrder(sql`true`)})`],
      total: countOf(sql`users u where ${conditions}`),
    };
  }
  // Planned for all of them, however few are read: a plan for only the first ones is a gamble.
  const matching = sql`matching as materialized (
      select fold_case(u.display_name) as key, u.id from users u where ${conditions})`;
  const behind = isBehindName(query, sql`key`, sql`id`);
  if (!query.skipTotal) {
    return {
      tables: [matching, sql`candidates as (select key, id from matching where ${behind})`],
      total: countOf(sql`matching`),
    };
  }
  return {
    tables: [
      matching,
      sql`few as materialized (select key, id from matching limit ${few} + 1)`,
      sql`candidates as (
      select key, id from few where (select count(*) from few) <= ${few} and ${behind}
      union all
      (${inOrder(sql`(select count(*) from few) > ${few}`)}))`,
    ],
    total: sql`0`,
  };
}
