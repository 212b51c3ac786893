import sql, { join, raw, type Sql } from "sql-template-tag";
import type { OverviewQuery } from "../../authorization/overview.ts";
import type { Narrowing } from "../list/normal-form.ts";
import { dueTable, ownOutside } from "../list/sources.ts";
import { stateAt } from "../pool/expiry.ts";
import { primaryNow } from "../pool/primary-time.ts";
import { isInReach, type Reach } from "../seen/reach.ts";
import { type CountTables, endsWithin, mostInDays } from "./overview-answer.ts";
import { countDays } from "./overview-days.ts";

/** Counts from the numbers of places, and counts own authorizations outside them one by one. */
export function countPlaces(reach: Reach, narrowing: Narrowing, { days }: OverviewQuery): CountTables {
  const isThere = (as: Sql) => (reach.everything ? sql`true` : isInReach(reach, as));
  const countBy = (column: string) => sql`${raw(`${column}_counts`)} as materialized (
      select ${raw(`${column}_id`)}, sum(count) as count from counted group by 1 having sum(count) > 0)`;
  return [
    sql`reach as materialized (${reach.places ?? nowhere})`,
    sql`own as materialized (
      select a.id, a.organization_id, a.project_id, ${stateAt(sql`a`, primaryNow)} as state, a.expiration_date
      from ${ownOutside(reach, narrowing)} a)`,
    ...dueTable,
    sql`places as materialized (
      select organization_id, project_id, sum(number) as count, sum(number) filter (where key = 'active') as active
      from (${numbersOfPlaces(reach, "state")}) n
      group by organization_id, project_id)`,
    sql`counted as not materialized (
      select organization_id, project_id, count, active from places
      union all
      select organization_id, project_id, 1, (state = 'active')::integer from own
      union all
      select organization_id, project_id, 0, -1 from due where ${isThere(sql`due`)})`,
    sql`state_counts as materialized (
      select 'active'::authorization_state as state, sum(active) as count from counted
      union all
      select 'inactive', sum(count) - coalesce(sum(active), 0) from counted)`,
    countBy("organization"),
    countBy("project"),
    sql`role_counts as materialized (
      select project_id, role_key, sum(count) as count
      from (
        select project_id, key as role_key, number as count from (${numbersOfPlaces(reach, "role")}) n
        union all
        select h.project_id, h.role_key, 1 from own o join authorization_roles h on h.authorization_id = o.id) held
      group by project_id, role_key
      having sum(count) > 0)`,
    ...countDays(reach, narrowing, days),
    // Every end after now is that of an active one here: the index has no others.
    sql`ends as materialized (
      select a.expiration_date from authorizations a
      where a.state = 'active' and ${endsWithin(sql`a`, 30)} and ${isThere(sql`a`)}
      union all
      select expiration_date from own where state = 'active' and ${endsWithin(sql`own`, 30)}
      order by expiration_date limit ${mostInDays + 1}::bigint)`,
  ];
}

const nowhere = sql`select ''::text collate "C" as organization_id, ''::text collate "C" as project_id where false`;

/**
 * Selects the numbers of all places in reach. Organizations are found by an array of ids, which takes half as long as
 * joining them one by one.
 */
function numbersOfPlaces({ everything, kinds }: Reach, kind: "state" | "role"): Sql {
  const ofKind = sql`n.kind = ${raw(`'${kind}'`)} and n.project_id <> ''`;
  if (everything) return sql`select n.* from numbers n where ${ofKind}`;
  const parts = {
    organization: sql`
        select n.* from numbers n
        where ${ofKind} and n.organization_id = any(array(select organization_id from reach where project_id = ''))`,
    place: sql`
        select n.* from reach r
        join numbers n on ${ofKind} and n.organization_id = r.organization_id and n.project_id = r.project_id`,
  };
  const numbers = kinds.map((each) => parts[each]);
  return join(numbers, " union all ");
}
