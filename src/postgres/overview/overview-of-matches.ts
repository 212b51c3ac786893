import sql from "sql-template-tag";
import type { OverviewQuery } from "../../authorization/overview.ts";
import type { Visibility } from "../../authorization/permissions.ts";
import { isMatching } from "../list/matching.ts";
import { stateAt } from "../pool/expiry.ts";
import { primaryNow } from "../pool/primary-time.ts";
import { type CountTables, endsWithin, mostInDays } from "./overview-answer.ts";

/** Reads all matches once and counts them. */
export function countMatching(visibility: Visibility, { filters }: OverviewQuery): CountTables {
  return [
    sql`matching as materialized (
      select a.id, a.organization_id, a.project_id, ${stateAt(sql`a`, primaryNow)} as state, a.expiration_date, (a.creation_date at time zone 'UTC')::date as day
      from authorizations a
      where ${isMatching(visibility, filters)}
    )`,
    sql`size as materialized (select count(*) <= ${fewMatches}::bigint as is_small from matching)`,
    sql`state_counts as materialized (select state, count(*) as count from matching group by state)`,
    sql`ends as materialized (
      select expiration_date from matching where state = 'active' and ${endsWithin(sql`matching`, 30)}
      order by expiration_date limit ${mostInDays + 1}::bigint)`,
    sql`organization_counts as (select organization_id, count(*) as count from matching group by organization_id)`,
    sql`project_counts as (select project_id, count(*) as count from matching group by project_id)`,
    sql`day_counts as (select day, count(*) as count from matching group by day)`,
    // The roles of a few authorizations are looked up one by one, because Postgres expects few elements in an array.
    // For many, all roles are read.
    sql`role_counts as materialized (
      select project_id, role_key, count(*) as count
      from (
        select project_id, role_key from authorization_roles
        where authorization_id = any(array(select id from matching where (select is_small from size)))
        union all
        select h.project_id, h.role_key
        from authorization_roles h
        where not (select is_small from size) and h.authorization_id in (select id from matching)) found
      group by project_id, role_key
    )`,
  ];
}

/** Up to this many authorizations, roles are looked up one by one. */
const fewMatches = 20_000;
