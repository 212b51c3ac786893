import type pg from "pg";
import { withOwnConnection } from "../pool/own-connection.ts";

/**
 * Recounts everything, and compares it with what is stored in the same snapshot. Finds stored numbers that differ from the
 * count (migrations/0005_numbers.sql explains their kinds and keys), then entries in the order of change dates that differ
 * from the change date of their authorization, or have none, then copies of users' names that differ from the name.
 */
export function findWrong(connection: pg.ClientConfig): Promise<object[]> {
  return withOwnConnection(connection, async (client) => [
    ...(await client.query(compareNumbers)).rows,
    ...(await client.query(compareDates)).rows,
    ...(await client.query(compareNames)).rows,
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
