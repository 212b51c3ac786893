import sql, { join, raw, type Sql } from "sql-template-tag";
import type { EventPosition, EventQuery } from "../../authorization/history.ts";
import { formatInstant } from "../instants.ts";
import { clampOffset } from "../page/order.ts";
import { type EventSource, forEach } from "./event-sources.ts";

/**
 * Tables of which the last, `walked`, has time and sequence of every event that could be on the page, and few others.
 * Expects the places as `reach`. As in src/postgres/page/top-of-sources.ts, a place gives a few events first, and only one whose
 * last event ranks before what would be the end of the page then gives as many as the page could have.
 */
export function topEvents(sources: readonly EventSource[], query: EventQuery): Sql[] {
  // One event more than the page, and what is skipped before it.
  const page = sql`${clampOffset(query.offset + BigInt(query.limit) + 1n)}::bigint`;
  const order = orderEvents(sql`e`, query.ascending);
  const direction = raw(query.ascending ? "asc" : "desc");
  const behindPage = query.after === undefined ? [] : [isBehind(query.after, query.ascending)];
  const top = ({ holds, sameKey, conditions }: EventSource, behind: readonly Sql[], limit: Sql) => sql`
      select e.time, e.sequence from events e
      where ${join([holds, ...behind, ...conditions], " and ")}
      order by ${sameKey === undefined ? order : sql`${sameKey} ${direction}, ${order}`}
      limit ${limit}`;

  const single = sources
    .filter(({ places }) => places === undefined)
    .map((source) => sql`select t.time, t.sequence ${forEach(source, top(source, behindPage, page))}`);
  const places = sources.filter((source) => source.places !== undefined);
  if (places.length === 0) return [sql`walked as (${join(single, " union all ")})`];

  const few = sql`(select rows from few)`;
  const first = places.map(
    (source) => sql`
      select r.organization_id, r.project_id, r.project_grant_id, t.time, t.sequence, row_number() over (
        partition by r.organization_id, r.project_id, r.project_grant_id
        order by ${orderEvents(sql`t`, query.ascending)}) as nth
      ${forEach(source, top(source, behindPage, few))}`,
  );
  const operator = raw(query.ascending ? ">" : "<");
  const behindLast = sql`(e.time, e.sequence) ${operator} (r.time, r.sequence)`;
  const couldHaveMore = sql`r.nth = ${few} and not exists (
        select from page_end p where (r.time, r.sequence) ${operator}= (p.time, p.sequence))`;
  const more = places.map(
    (source) => sql`
      select t.time, t.sequence ${forEach({ ...source, each: sql`first r` }, top(source, [behindLast], page))}
        and ${couldHaveMore}`,
  );
  return [
    sql`few as materialized (select least(${page}, ${page} / greatest(count(*) / 4, 1) + 2) as rows from reach)`,
    sql`first as materialized (${join(first, " union all ")})`,
    sql`page_end as materialized (
      select time, sequence from first order by ${orderEvents(sql`first`, query.ascending)} limit 1 offset ${page} - 1)`,
    sql`walked as (
      select time, sequence from first union all ${join([...more, ...single], " union all ")})`,
  ];
}

/** By time; events of one time by their sequence, in the same direction. */
export function orderEvents(table: Sql, ascending: boolean): Sql {
  const direction = raw(ascending ? "asc" : "desc");
  return sql`${table}.time ${direction}, ${table}.sequence ${direction}`;
}

/** True for an event `e` that comes behind the position in that order. */
function isBehind({ time, sequence }: EventPosition, ascending: boolean): Sql {
  const operator = raw(ascending ? ">" : "<");
  return sql`(e.time, e.sequence) ${operator} (${formatInstant(time)}::timestamptz, ${sequence}::bigint)`;
}
