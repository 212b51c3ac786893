import sql, { join, raw, type Sql } from "sql-template-tag";
import type { Filter, ListQuery, TextFilterKind, TextMatch } from "../../authorization/list.ts";
import type { Visibility } from "../../authorization/permissions.ts";
import { textMatches } from "../page/comparisons.ts";
import { authorizations } from "../seen/places.ts";
import { reachOf, reachTable } from "../seen/reach.ts";
import { searched } from "./filter-kinds.ts";
import { isMatching } from "./matching.ts";
import { narrow } from "./normal-form.ts";
import { keptTotal, keyOf, rowsInReach } from "./sources.ts";

/*
 * The search that people make most: for one text in the names of users, with or without a state, a project and an
 * organization. Planning it takes as long as answering it, but a plan that is kept can't depend on the text. So this one
 * decides by what it finds. If few authorizations are in reach, the name of each one's user is compared. Otherwise, it
 * finds a few users first, and then their authorizations. If more users match, it finds nothing, and the search has to be
 * planned for its text.
 */

/** The total of a search that found more users than a kept plan is good for. */
export const tooManyUsers = -1;

/** The result is the same for any numbers. */
export const fewInReach = 1_024;
export const fewFound = 256;

/** What a list is picked from, and how many rows match. */
export type Found = { readonly tables: readonly Sql[]; readonly total: Sql };

/** Tables, the last one, `matching`, with the key and the id of every match. Undefined for any other list. */
export function searchOf(visibility: Visibility, query: ListQuery): Found | undefined {
  const search = query.filters.find(isOfUsers);
  if (search === undefined || query.skipTotal || !hasParts(search.match)) return undefined;
  const filters = query.filters.filter((filter) => filter !== search);
  const narrowing = narrow(filters);
  if (narrowing.others.length > 0) return undefined;

  const key = keyOf(query.sort);
  const reach = reachOf(visibility, narrowing, authorizations);
  const isNamed = textMatches(sql`t.${raw(searched[search.kind][1])}`, search.match, "once");
  const [few, most] = [raw(String(fewInReach)), raw(String(fewFound))];
  const inReach = rowsInReach(reach, narrowing).map(
    (rows) => sql`
      select ${key} as key, a.id ${rows} and (select size from in_reach) <= ${few}
        and exists (select from users t where t.id = a.user_id and ${isNamed} offset 0)`,
  );
  const ofUsers = sql`
      select ${key} as key, a.id
      from unnest(array(select id from first_named where (select count(*) from first_named) <= ${most})) as u (id)
      cross join lateral (select * from authorizations where user_id = u.id offset 0) a
      where ${isMatching(visibility, filters)}`;
  const { state: _, ...ofAnyState } = narrowing;
  const size = reach.everything ? sql`${few} + 1` : keptTotal(reach, ofAnyState);
  return {
    tables: [
      ...reachTable(reach),
      sql`in_reach as materialized (select ${size} as size)`,
      // Planned for all of them, however few are read: a plan for only the first ones is a gamble.
      sql`named as materialized (
      select t.id from users t where (select size from in_reach) > ${few} and ${isNamed})`,
      sql`first_named as materialized (select id from named limit ${most} + 1)`,
      sql`matching as materialized (${join([...inReach, ofUsers], " union all ")})`,
    ],
    total: sql`case when (select count(*) from first_named) > ${most} then ${raw(String(tooManyUsers))}
        else (select count(*)::integer from matching) end`,
  };
}

function isOfUsers(filter: Filter): filter is Filter & { readonly kind: TextFilterKind; readonly match: TextMatch } {
  return filter.kind === "userPreferredLoginName" || filter.kind === "userDisplayName";
}

/** Whether an index can find the text by its parts of three characters. */
function hasParts({ text, method }: TextMatch): boolean {
  return method === "equals" || /[a-z0-9]{3}/i.test(text);
}
