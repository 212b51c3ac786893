import sql, { join, type Sql } from "sql-template-tag";
import type { ListQuery } from "../authorization/list.ts";
import { clampOffset, compare, isBehind, orderBy, sortKey } from "./list-order.ts";
import { isOnlyOwn, type Narrowing, type Reach, restOf } from "./reach.ts";

/**
 * Tables of which the last, `walked`, has key and id of every row that could be on the page, and few others. Expects
 * the places as `reach`. Each place is read in the order of an index; an OR of all of them would read every row of
 * theirs before it could sort.
 *
 * A place gives a few rows first. Only one whose last row ranks before what would be the end of the page could have more
 * of the page, and then gives as many as that takes: of two thousand places few have to.
 */
export function topOfEach(reach: Reach, narrowing: Narrowing, query: ListQuery): Sql[] {
  const { sort, after } = query;
  const key = sortKey(sort.column);
  const order = orderBy(sql`key`, sql`id`, sort.ascending);
  const rest = restOf(narrowing);
  if (after !== undefined) rest.push(isBehind(after, key, sql`a.id`, sort.ascending));
  const top = (conditions: readonly Sql[], limit: Sql) => sql`(
      select ${key} as key, a.id from authorizations a
      where ${join([...conditions, ...rest, sql`true`], " and ")}
      order by ${orderBy(key, sql`a.id`, sort.ascending)}
      limit ${limit})`;

  const most = query.offset + BigInt(query.limit) + 1n;
  const page = sql`${clampOffset(most)}::bigint`;
  if (reach.everything) return [sql`walked as ${top([], page)}`];
  const own = reach.owner === undefined ? [] : [top([isOnlyOwn(reach, narrowing)], page)];
  if (reach.places === undefined) return [sql`walked as ${join(own)}`];

  const few = sql`${clampOffset(fewOf(most, reach.size))}::bigint`;
  const inOrganization = sql`a.organization_id = r.organization_id`;
  const kinds = [
    { is: sql`r.project_id = ''`, holds: [inOrganization] },
    { is: sql`r.project_id <> ''`, holds: [inOrganization, sql`a.project_id = r.project_id`] },
  ];
  const first = kinds.map(
    ({ is, holds }) => sql`
      select r.organization_id, r.project_id, t.key, t.id, row_number() over (
        partition by r.organization_id, r.project_id order by ${orderBy(sql`t.key`, sql`t.id`, sort.ascending)}) as nth
      from reach r cross join lateral ${top(holds, few)} t where ${is}`,
  );
  const behindLast = compare(key, sql`a.id`, "behind", sql`r.key`, sql`r.id`, sort.ascending);
  const couldHaveMore = sql`r.nth = ${few} and not exists (
        select from page_end e where not ${compare(sql`r.key`, sql`r.id`, "before", sql`e.key`, sql`e.id`, sort.ascending)})`;
  const more = kinds.map(
    ({ is, holds }) => sql`
      select t.key, t.id from first r cross join lateral ${top([...holds, behindLast], page)} t
      where ${is} and ${couldHaveMore}`,
  );
  return [
    sql`first as materialized (${join(first, " union all ")})`,
    sql`page_end as materialized (select key, id from first order by ${order} limit 1 offset ${page} - 1)`,
    sql`walked as (select key, id from first union all ${join([...more, ...own], " union all ")})`,
  ];
}

/** Several times what each gives when all give the same. */
function fewOf(most: bigint, places: number): bigint {
  const few = (4n * most) / BigInt(places) + 2n;
  return places === 1 || few > most ? most : few;
}
