import sql, { join, type Sql } from "sql-template-tag";
import type { ListQuery } from "../authorization/list.ts";
import { clampOffset, compare, isBehind, orderBy, type Sorted, sortedBy, sortKey } from "./list-order.ts";
import { isOnlyOwn, type Narrowing, type PlaceKind, type Reach, restOf } from "./reach.ts";

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
  const { ascending } = sort;
  const order = orderBy(sql`key`, sql`id`, ascending);
  const rest = restOf(narrowing);
  const sorted = sortedBy(sort.column, rest.length > 0);
  const top = ({ from, as, key }: Sorted, conditions: readonly Sql[], limit: Sql) => {
    const id = sql`${as}.id`;
    const behind = after === undefined ? [] : [isBehind(after, key, id, ascending)];
    return sql`(
      select ${key} as key, ${id} from ${from}
      where ${join([...conditions, ...rest, ...behind, sql`true`], " and ")}
      order by ${orderBy(key, id, ascending)}
      limit ${limit})`;
  };

  // One row more than the page, and what is skipped before it.
  const rows = query.offset + BigInt(query.limit) + 1n;
  const page = sql`${clampOffset(rows)}::bigint`;
  if (reach.everything) return [sql`walked as ${top(sorted, [], page)}`];
  const unsorted = { from: sql`authorizations a`, as: sql`a`, key: sortKey(sort.column) };
  const own = reach.owner === undefined ? [] : [top(unsorted, [isOnlyOwn(reach, narrowing)], page)];
  if (reach.places === undefined) return [sql`walked as ${join(own)}`];

  const inOrganization = sql`${sorted.as}.organization_id = r.organization_id`;
  const inProject = sql`${sorted.as}.project_id = r.project_id`;
  const holds = { organization: [inOrganization], place: [inOrganization, inProject] };
  const is = { organization: sql`r.project_id = ''`, place: sql`r.project_id <> ''` };
  const ofEach = (select: (kind: PlaceKind) => Sql) => reach.kinds.map(select);

  const most = fewOf(rows, reach.size);
  if (most === rows) {
    const all = ofEach(
      (kind) => sql`
      select t.key, t.id from reach r cross join lateral ${top(sorted, holds[kind], page)} t where ${is[kind]}`,
    );
    return [sql`walked as (${join([...all, ...own], " union all ")})`];
  }
  const few = sql`${clampOffset(most)}::bigint`;
  const first = ofEach(
    (kind) => sql`
      select r.organization_id, r.project_id, t.key, t.id, row_number() over (
        partition by r.organization_id, r.project_id order by ${orderBy(sql`t.key`, sql`t.id`, ascending)}) as nth
      from reach r cross join lateral ${top(sorted, holds[kind], few)} t where ${is[kind]}`,
  );
  const behindLast = compare(sorted.key, sql`${sorted.as}.id`, "behind", sql`r.key`, sql`r.id`, ascending);
  const couldHaveMore = sql`r.nth = ${few} and not exists (
        select from page_end e where not ${compare(sql`r.key`, sql`r.id`, "before", sql`e.key`, sql`e.id`, ascending)})`;
  const more = ofEach(
    (kind) => sql`
      select t.key, t.id from first r cross join lateral ${top(sorted, [...holds[kind], behindLast], page)} t
      where ${is[kind]} and ${couldHaveMore}`,
  );
  return [
    sql`first as materialized (${join(first, " union all ")})`,
    sql`page_end as materialized (select key, id from first order by ${order} limit 1 offset ${page} - 1)`,
    sql`walked as (select key, id from first union all ${join([...more, ...own], " union all ")})`,
  ];
}

/** Several times what each gives when all give the same. */
function fewOf(rows: bigint, places: number): bigint {
  const few = (4n * rows) / BigInt(places) + 2n;
  return few > rows ? rows : few;
}
