import type pg from "pg";
import { withOwnConnection } from "../pool/own-connection.ts";

/** A stored number that differs from the count. migrations/0005_numbers.sql explains the kinds and their keys. */
type WrongNumber = {
  readonly kind: "state" | "role";
  /** Empty for all organizations together. */
  readonly organizationId: string;
  /** Empty for all projects together. */
  readonly projectId: string;
  readonly key: string;
  readonly kept: number;
  readonly counted: number;
};

/** An entry in the order of change dates that differs from its authorization's change date, or has no authorization. */
type WrongDate = { readonly authorizationId: string };

/** A copy of a user's name at an authorization that isn't the user's name, ignoring case. */
type WrongName = { readonly authorizationId: string; readonly userName: string };

/** Recounts everything, and compares it with what is stored in the same snapshot: numbers, then dates, then names. */
export function findWrong(connection: pg.ClientConfig): Promise<(WrongNumber | WrongDate | WrongName)[]> {
  return withOwnConnection(connection, async (client) => [
    ...(await client.query<WrongNumber>(compareNumbers)).rows,
    ...(await client.query<WrongDate>(compareDates)).rows,
    ...(await client.query<WrongName>(compareNames)).rows,
  ]);
}

/**
 * Recounts all numbers, restores the order of change dates and corrects the copies of users' names. Changes wait in the
 * meantime. Each has a transaction of its own, because the first two lock tables that changes write to.
 */
export function repairNumbers(connection: pg.ClientConfig): Promise<void> {
  return withOwnConnection(connection, async (client) => {
    await client.query("select recount_numbers()");
    await client.query("select restore_change_dates()");
    await client.query("select restore_user_names()");
  });
}

const compareDates = `
  select coalesce(a.id, c.id) as "authorizationId"
  from authorizations a full join authorization_change_dates c on c.id = a.id
  where (c.organization_id, c.project_id, c.change_date)
    is distinct from (a.organization_id, a.project_id, a.change_date)
  order by 1`;

const compareNames = `
  select a.id as "authorizationId", a.user_name as "userName"
  from authorizations a join users u on u.id = a.user_id
  where a.user_name <> fold_case(u.display_name)
  order by 1`;

const compareNumbers = `
  with kept as (
    select kind, organization_id, project_id, key, sum(number) as number
    from numbers
    group by kind, organization_id, project_id, key
  )
  select kind, organization_id as "organizationId", project_id as "projectId", key,
    coalesce(k.number, 0)::float8 as kept, coalesce(c.number, 0)::float8 as counted
  from kept k full join counted_numbers c using (kind, organization_id, project_id, key)
  where coalesce(k.number, 0) <> coalesce(c.number, 0)
  order by kind, organization_id, project_id, key`;
