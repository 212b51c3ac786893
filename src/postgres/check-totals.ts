import type pg from "pg";
import type { State } from "../authorization/authorization.ts";
import { withClient } from "./directory-store.ts";

/** A kept total that is not what counting gives. */
export type WrongTotal = {
  /** Empty: of all projects. */
  readonly projectId: string;
  /** Empty: of all organizations. */
  readonly organizationId: string;
  readonly state: State;
  readonly kept: number;
  readonly counted: number;
};

/** Counts all authorizations and compares with the totals that triggers keep, both of one moment. */
export function findWrongTotals(connection: pg.ClientConfig): Promise<WrongTotal[]> {
  return withClient(connection, async (client) => (await client.query<WrongTotal>(compareTotals)).rows);
}

/** A change date that is not in the order of change dates as it is with the authorization. */
export type WrongDate = { readonly authorizationId: string };

export function findWrongDates(connection: pg.ClientConfig): Promise<WrongDate[]> {
  return withClient(connection, async (client) => (await client.query<WrongDate>(compareDates)).rows);
}

/** Counts all totals anew and restores the order of change dates. Whoever changes authorizations waits meanwhile. */
export function repairKept(connection: pg.ClientConfig): Promise<void> {
  return withClient(connection, async (client) => {
    await client.query("select recount_authorizations(), restore_change_dates()");
  });
}

const compareDates = `
  select a.id as "authorizationId"
  from authorizations a left join authorization_change_dates c on c.id = a.id
  where (c.organization_id, c.project_id, c.change_date)
    is distinct from (a.organization_id, a.project_id, a.change_date)
  order by a.id`;

const compareTotals = `
  with kept as (
    select project_id, organization_id, state, sum(count) as number
    from authorization_counts
    group by project_id, organization_id, state
  ), counted as (
    select coalesce(project_id, '') as project_id, coalesce(organization_id, '') as organization_id, state,
      count(*) as number
    from authorizations
    group by grouping sets ((state), (state, organization_id), (state, organization_id, project_id))
  )
  select project_id as "projectId", organization_id as "organizationId", state,
    coalesce(k.number, 0)::integer as kept, coalesce(c.number, 0)::integer as counted
  from kept k full join counted c using (project_id, organization_id, state)
  where coalesce(k.number, 0) <> coalesce(c.number, 0)
  order by project_id, organization_id, state`;
