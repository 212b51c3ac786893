import type pg from "pg";
import type { State } from "../authorization/authorization.ts";
import type { EventType } from "../authorization/event.ts";
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

/** A kept number of events that is not what counting gives. */
export type WrongEventTotal = {
  /** Empty, with an empty project grant: of all projects. */
  readonly projectId: string;
  /** Empty: of all organizations. */
  readonly organizationId: string;
  /** Empty where the organization owned the project. */
  readonly projectGrantId: string;
  readonly type: EventType;
  readonly kept: number;
  readonly counted: number;
};

export function findWrongEventTotals(connection: pg.ClientConfig): Promise<WrongEventTotal[]> {
  return withClient(connection, async (client) => (await client.query<WrongEventTotal>(compareEventTotals)).rows);
}

/** A change date that is not in the order of change dates as it is with the authorization. */
export type WrongDate = { readonly authorizationId: string };

export function findWrongDates(connection: pg.ClientConfig): Promise<WrongDate[]> {
  return withClient(connection, async (client) => (await client.query<WrongDate>(compareDates)).rows);
}

/**
 * Counts all totals anew and restores the order of change dates. Whoever changes authorizations waits meanwhile. Events
 * come in a transaction of their own: who holds the one lock and waits for the other could wait for who does the reverse.
 */
export function repairKept(connection: pg.ClientConfig): Promise<void> {
  return withClient(connection, async (client) => {
    await client.query("select recount_authorizations(), restore_change_dates()");
    await client.query("select recount_events()");
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

const compareEventTotals = `
  with kept as (
    select project_id, organization_id, project_grant_id, type, sum(count) as number
    from event_counts
    group by project_id, organization_id, project_grant_id, type
  ), counted as (
    select coalesce(project_id, '') as project_id, coalesce(organization_id, '') as organization_id,
      coalesce(project_grant_id, '') as project_grant_id, type, count(*) as number
    from events
    group by grouping sets ((type), (type, organization_id), (type, organization_id, project_id, project_grant_id))
  )
  select project_id as "projectId", organization_id as "organizationId", project_grant_id as "projectGrantId", type,
    coalesce(k.number, 0)::float8 as kept, coalesce(c.number, 0)::float8 as counted
  from kept k full join counted c using (project_id, organization_id, project_grant_id, type)
  where coalesce(k.number, 0) <> coalesce(c.number, 0)
  order by project_id, organization_id, project_grant_id, type`;
