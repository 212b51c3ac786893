import type pg from "pg";
import { withClient } from "./directory-store.ts";

/** A number kept for overviews that is not what counting gives. An empty id or key means all. */
export type WrongNumber = {
  readonly organizationId: string;
  readonly projectId: string;
  /** Of which day, if of one. */
  readonly day?: string;
  /** Of which role, if of roles. */
  readonly roleKey?: string;
  readonly kept: number;
  readonly counted: number;
};

/** Counts everything and compares it with the numbers that migrations/0007_overview.sql keeps. */
export function findWrongNumbers(connection: pg.ClientConfig): Promise<WrongNumber[]> {
  return withClient(connection, async (client) => {
    await client.query("begin isolation level repeatable read read only");
    const wrong: WrongNumber[] = [];
    for (const compare of [compareTotals, compareDays, compareRoles]) {
      wrong.push(...(await client.query<WrongNumber>(compare)).rows);
    }
    await client.query("commit");
    return wrong;
  });
}

/** Counts roles anew; the other numbers come with the totals. Whoever changes roles waits meanwhile. */
export function repairRoleCounts(connection: pg.ClientConfig): Promise<void> {
  return withClient(connection, async (client) => {
    await client.query("select recount_roles()");
  });
}

const compareTotals = `
  select organization_id as "organizationId", project_id as "projectId",
    coalesce(k.number, 0)::integer as kept, coalesce(c.number, 0)::integer as counted
  from (
    select organization_id, project_id, sum(count) as number from authorization_totals group by organization_id, project_id
  ) k full join (
    select coalesce(organization_id, '') as organization_id, coalesce(project_id, '') as project_id, count(*) as number
    from authorizations
    group by grouping sets ((), (organization_id), (project_id), (organization_id, project_id))
  ) c using (organization_id, project_id)
  where coalesce(k.number, 0) <> coalesce(c.number, 0)
  order by organization_id, project_id`;

const compareDays = `
  select organization_id as "organizationId", project_id as "projectId", day::text as day,
    coalesce(k.number, 0)::integer as kept, coalesce(c.number, 0)::integer as counted
  from (
    select organization_id, project_id, day, sum(count) as number
    from authorization_days
    group by organization_id, project_id, day
  ) k full join (
    select coalesce(organization_id, '') as organization_id, coalesce(project_id, '') as project_id, day,
      count(*) as number
    from (
      select organization_id, project_id, (creation_date at time zone 'UTC')::date as day from authorizations) created
    group by grouping sets ((day), (day, organization_id), (day, organization_id, project_id))
  ) c using (organization_id, project_id, day)
  where coalesce(k.number, 0) <> coalesce(c.number, 0)
  order by organization_id, project_id, day`;

const compareRoles = `
  select organization_id as "organizationId", project_id as "projectId", role_key as "roleKey",
    coalesce(k.number, 0)::integer as kept, coalesce(c.number, 0)::integer as counted
  from (
    select organization_id, project_id, role_key, sum(count) as number
    from authorization_role_counts
    group by organization_id, project_id, role_key
  ) k full join (
    select coalesce(a.organization_id, '') as organization_id, coalesce(h.project_id, '') as project_id,
      coalesce(h.role_key, '') as role_key, count(*) as number
    from authorization_roles h join authorizations a on a.id = h.authorization_id
    group by grouping sets ((), (a.organization_id), (a.organization_id, h.project_id, h.role_key))
  ) c using (organization_id, project_id, role_key)
  where coalesce(k.number, 0) <> coalesce(c.number, 0)
  order by organization_id, project_id, role_key`;
