import sql, { type Sql } from "sql-template-tag";
import type { AffectedAuthorizations } from "../../../directory/outcome.ts";
import type { Connection } from "../../pool/database.ts";

/**
 * Counts the assignments that follow the changes.
 *
 * @param isCounted whether an authorization `a` counts
 * @param mostPlaces how many places to name; the rest are added up in a last element without ids
 */
export function countAuthorizations(
  { query }: Connection,
  isCounted: Sql,
  mostPlaces: number,
): Promise<AffectedAuthorizations[]> {
  return query<AffectedAuthorizations>(sql`
  with places as materialized (
    select a.project_id, a.organization_id, count(*) filter (where not following.is_removed) as changed,
      count(*) filter (where following.is_removed) as removed,
      row_number() over (order by a.project_id, a.organization_id) as nth
    from (
      select id, true as is_removed from doomed_authorizations where position is null
      union all
      select distinct id, false from shrunk_authorizations) following
    join authorizations a on a.id = following.id
    where ${isCounted} and not exists (select from staged_authorizations s where s.id = following.id)
    group by a.project_id, a.organization_id)
  select project_id as "projectId", organization_id as "organizationId", changed::float8, removed::float8 from (
    select * from places where nth <= ${mostPlaces}::bigint
    union all
    select '', '', sum(changed), sum(removed), ${mostPlaces}::bigint + 1 from places where nth > ${mostPlaces}::bigint having count(*) > 0) named
  order by nth`);
}
