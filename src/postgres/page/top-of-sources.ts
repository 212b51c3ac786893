import sql, { join, type Sql } from "sql-template-tag";
import type { ListQuery, Position } from "../../authorization/list.ts";
import { isOnlyOwn, type Narrowing, ofOwner, type PlaceKind, type Reach, restOf } from "../seen/reach.ts";
import { clampOffset, compare, isBehind, isBehindWithin, orderBy, type Sorted, sortedBy, sortKey } from "./order.ts";

/**
 * Tables of which the last, `walked`, has key and id of every row that could be on the page, and few others. Expects
 * the places as `reach`. Each place is read in the order of an index; an OR of all of them would read every row of
 * theirs before it could sort.
 *
 * A place gives a few rows first. Only one whose last row ranks before what would be the end of the page could have more
 * of the page, and then gives as many as that takes: of two thousand places few have to.
 */
export function topOfEach(reach: Reach, narrowing: Narrowing, query: ListQuery): Sql[] {
  const { ascending, column } = query.sort;
  const rest = restOf(narrowing);
  const sorted = sortedBy(column, rest.length > 0);
  // One row more than the page, and what is skipped before it.
  const rows = query.offset + BigInt(query.limit) + 1n;
  const page = sql`${clampOffset(rows)}::bigint`;
  const top = (source: Sorted, conditions: readonly Sql[], limit: Sql) => sql`(
      select ${source.key} as key, ${source.as}.id from ${source.from}
      where ${join([...conditions, ...rest, sql`true`], " and ")}
      order by ${orderBy(source.key, sql`${source.as}.id`, ascending)}
      limit ${limit})`;
  const behind = ({ key, as }: Sorted) =>
    query.after === undefined ? [] : [isBehind(query.after, key, sql`${as}.id`, ascending)];

  if (reach.everything) return [sql`walked as ${top(sorted, behind(sorted), page)}`];
  const unsorted = { from: ofOwner(reach), as: sql`a`, key: sortKey(column) };
  const ownOnly = [isOnlyOwn(reach, narrowing), ...behind(unsorted)];
  const own = reach.owner === undefined ? [] : [top(unsorted, ownOnly, page)];
  if (reach.places === undefined) return [sql`walked as ${join(own)}`];

  const parts = reach.kinds.map((kind) => partOf(kind, sorted, query));
  const most = fewOf(rows, reach.size);
  if (most === rows) {
    const all = parts.map(
      ({ source, is, holds, behind }) => sql`
      select t.key, t.id from reach r cross join lateral ${top(source, [...holds, ...behind], page)} t where ${is}`,
    );
    return [sql`walked as (${join([...all, ...own], " union all ")})`];
  }
  const few = sql`${clampOffset(most)}::bigint`;
  const first = parts.map(
    ({ source, is, holds, behind }) => sql`
      select r.organization_id, r.project_id, t.key, t.id, row_number() over (
        partition by r.organization_id, r.project_id order by ${orderBy(sql`t.key`, sql`t.id`, ascending)}) as nth
      from reach r cross join lateral ${top(source, [...holds, ...behind], few)} t where ${is}`,
  );
  const couldHaveMore = sql`r.nth = ${few} and not exists (
        select from page_end e where not ${compare(sql`r.key`, sql`r.id`, "before", sql`e.key`, sql`e.id`, ascending)})`;
  const more = parts.map(
    ({ source, is, holds, behindLast }) => sql`
      select t.key, t.id from first r cross join lateral ${top(source, [...holds, behindLast], page)} t
      where ${is} and ${couldHaveMore}`,
  );
  const order = orderBy(sql`key`, sql`id`, ascending);
  return [
    sql`first as materialized (${join(first, " union all ")})`,
    sql`page_end as materialized (select key, id from first order by ${order} limit 1 offset ${page} - 1)`,
    sql`walked as (select key, id from first union all ${join([...more, ...own], " union all ")})`,
  ];
}

/** How the rows of a place `r` are read: which they are, in which order, and what is behind where a page ended. */
function partOf(kind: PlaceKind, sorted: Sorted, { sort, after }: ListQuery) {
  const { ascending, column } = sort;
  const { as, from } = sorted;
  const id = sql`${as}.id`;
  const inOrganization = sql`${as}.organization_id = r.organization_id`;
  const place = {
    is: kind === "place" ? sql`r.project_id <> ''` : sql`r.project_id = ''`,
    holds: kind === "place" ? [inOrganization, sql`${as}.project_id = r.project_id`] : [inOrganization],
  };
  // Where all rows of a place have the same key, the order is that of their ids.
  const same =
    column === "organizationId"
      ? sql`r.organization_id`
      : column === "projectId" && kind === "place"
        ? sql`r.project_id`
        : undefined;
  const key = same ?? sorted.key;
  return {
    ...place,
    source: { from, as, key },
    behind: after === undefined ? [] : [behindPosition(after, key, id, same !== undefined, ascending)],
    behindLast:
      same === undefined
        ? compare(key, id, "behind", sql`r.key`, sql`r.id`, ascending)
        : compare(id, id, "behind", sql`r.id`, sql`r.id`, ascending),
  };
}

function behindPosition(after: Position, key: Sql, id: Sql, isSame: boolean, ascending: boolean): Sql {
  return isSame ? isBehindWithin(after, key, id, ascending) : isBehind(after, key, id, ascending);
}

/** Several times what each gives when all give the same. */
function fewOf(rows: bigint, places: number): bigint {
  const few = (4n * rows) / BigInt(places) + 2n;
  return few > rows ? rows : few;
}
