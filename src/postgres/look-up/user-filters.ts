import sql, { join, type Sql } from "sql-template-tag";
import type { LookUpQuery, UserFilter } from "../../directory/look-ups.ts";
import { textMatches, wordsMatch } from "../page/comparisons.ts";
import { isBehindName } from "./name-list.ts";

/** True for a user `u` that matches all filters. */
export function matchesAll(filters: readonly UserFilter[]): Sql {
  return join([sql`true`, ...filters.map(matches)], " and ");
}

function matches(filter: UserFilter): Sql {
  switch (filter.kind) {
    case "ids":
      return sql`u.id = any(${filter.ids}::text[])`;
    case "organizationId":
      return sql`u.organization_id = ${filter.id}::text`;
    case "displayName":
      return textMatches(sql`u.display_name`, filter.match);
    case "preferredLoginName":
      return textMatches(sql`u.preferred_login_name`, filter.match);
    case "name":
      return sql`((${textMatches(sql`u.display_name`, filter.match)})
        or (${textMatches(sql`u.preferred_login_name`, filter.match)}))`;
    case "search":
      return wordsMatch(sql`u.words`, filter.text);
  }
}

/** True for a user `u` that comes after the end of the previous page. */
export function isBehindUser(query: LookUpQuery<UserFilter>): Sql {
  return isBehindName(query, sql`fold_case(u.display_name)`, sql`u.id`);
}
