import sql, { raw, type Sql } from "sql-template-tag";
import type { Instant } from "../authorization/authorization.ts";
import type { Position, SortColumn } from "../authorization/list.ts";
import { formatInstant } from "./instants.ts";

/** What an authorization `a` is sorted by. */
export function sortKey(column: SortColumn): Sql {
  return raw(sortColumns[column]);
}

const sortColumns: Record<SortColumn, string> = {
  creationDate: "a.creation_date",
  changeDate: "a.change_date",
  id: "a.id",
  userId: "a.user_id",
  projectId: "a.project_id",
  organizationId: "a.organization_id",
  userOrganizationId: "a.user_organization_id",
};

/** Where rows can be read in the order of an index: the table, what it is called, and the key. */
export type Sorted = { readonly from: Sql; readonly as: Sql; readonly key: Sql };

/**
 * Every order has indexes of its own (migrations/0003_authorizations.sql); that of change dates has a table too.
 *
 * @param whole whether conditions on all columns of an authorization `a` follow
 */
export function sortedBy(column: SortColumn, whole: boolean): Sorted {
  if (column !== "changeDate") return { from: sql`authorizations a`, as: sql`a`, key: sortKey(column) };
  const dates = sql`authorization_change_dates c`;
  const from = whole ? sql`${dates} join authorizations a on a.id = c.id` : dates;
  return { from, as: sql`c`, key: sql`c.change_date` };
}

/** Sorts by a key; ties are broken by id in the same direction. */
export function orderBy(key: Sql, id: Sql, ascending: boolean): Sql {
  const direction = raw(ascending ? "asc" : "desc");
  return key.text === id.text ? sql`${id} ${direction}` : sql`${key} ${direction}, ${id} ${direction}`;
}

/** True for what comes behind the position in that order. */
export function isBehind(position: Position, key: Sql, id: Sql, ascending: boolean): Sql {
  return compare(key, id, "behind", keyValue(position.key), sql`${position.id}::text`, ascending);
}

/** The same where one key holds for all the ids: said of the ids alone, by which an index finds them. */
export function isBehindWithin({ key, id: after }: Position, sameKey: Sql, id: Sql, ascending: boolean): Sql {
  const operator = raw(ascending ? ">" : "<");
  // No id has as many of the last character there is.
  const beforeAll = ascending ? sql`''` : sql`repeat(chr(1114111), 201)`;
  return sql`${sameKey} ${operator}= ${keyValue(key)}
        and ${id} ${operator} case when ${sameKey} = ${keyValue(key)} then ${after}::text else ${beforeAll} end`;
}

/** True for a key and an id that rank behind, or before, another pair of them in that order. */
export function compare(
  key: Sql,
  id: Sql,
  how: "behind" | "before",
  otherKey: Sql,
  otherId: Sql,
  ascending: boolean,
): Sql {
  const operator = raw((how === "behind") === ascending ? ">" : "<");
  // What is sorted by the id needs no tie to be broken.
  return key.text === id.text
    ? sql`${id} ${operator} ${otherId}`
    : sql`(${key}, ${id}) ${operator} (${otherKey}, ${otherId})`;
}

function keyValue(key: string | Instant): Sql {
  return typeof key === "bigint" ? sql`${formatInstant(key)}::timestamptz` : sql`${key}::text`;
}

/** Postgres counts rows in 63 bits; no table holds more, so a larger offset is past the end all the same. */
export function clampOffset(offset: bigint): string {
  const largest = 2n ** 62n;
  return (offset < largest ? offset : largest).toString();
}
