import sql, { type Sql } from "sql-template-tag";
import type { Connection, Database } from "../pool/database.ts";
import { dateOfEnd, isDue } from "../pool/expiry.ts";
import { givenIds } from "../pool/parameter-rows.ts";
import { named, namedByText, type Statement } from "../pool/prepared.ts";
import { heldKeys } from "./what-decides.ts";

/*
 * Writes ends that have passed: the authorization becomes inactive, with the event user.grant.expired. What reads show
 * doesn't depend on when that happens (src/postgres/pool/expiry.ts). Servers do it regularly, and writers do it before they
 * change an authorization, so that its events follow from one another.
 */

const statementTime = sql`statement_timestamp()`;

/**
 * Writes the ends among these that have passed. Waits for those who hold them. Leaves out what changed meanwhile: this
 * statement still sees the roles from before.
 */
export function settleThese(ids: readonly string[]): Statement {
  return namedByText(settle(sql`a.id in (select id from ${givenIds("asked", ids)})`));
}

/** The same for a condition on an authorization `a`. */
export function settle(among: Sql, order = sql`order by a.id for update`, moment = statementTime): Sql {
  return sql`
  with due as materialized (
    select a.id, a.xmin as version from authorizations a where ${isDue(sql`a`, moment)} and ${among} ${order}
  ), changed as (
    update authorizations a
    set state = 'inactive', expired = true, change_date = ${dateOfEnd(sql`a`)}
    from due
    where a.id = due.id and a.xmin = due.version
    returning a.*
  ), dated as (
    update authorization_change_dates c set change_date = a.change_date from changed a where c.id = a.id
  )
  insert into events (
    authorization_id, type, time, user_id, project_id, organization_id, project_grant_id, role_keys, state,
    creation_date, expiration_date, role_keys_before, state_before, creation_date_before, expiration_date_before)
  select
    a.id, 'user.grant.expired', a.change_date, a.user_id, a.project_id, a.organization_id, a.project_grant_id, keys,
    a.state, a.creation_date, a.expiration_date, keys, 'active', a.creation_date, a.expiration_date
  from changed a cross join lateral (select ${heldKeys(sql`a.id`)} as keys offset 0) held
  order by a.expiration_date, a.id
  returning sequence`;
}

const atOnce = 1_000;

const settleOldest = named(
  "settle ends",
  settle(sql`true`, sql`order by a.expiration_date limit ${atOnce}::bigint for update skip locked`),
);

const findMoment = named(
  "find ends",
  sql`
  select set_config('authorization_service.moment', ${statementTime}::text, true) as moment,
    exists (select from authorizations a where ${isDue(sql`a`, statementTime)}) as is_due`,
);

/** A moment, which the transaction keeps, and whether any end has passed by then without being written. */
export async function readMoment(
  query: Connection["query"],
): Promise<{ readonly moment: Sql; readonly isAnyDue: boolean }> {
  const [now] = await query<{ moment: string; is_due: boolean }>(findMoment);
  return { moment: sql`${now?.moment}::timestamptz`, isAnyDue: now?.is_due ?? false };
}

/** Writes all ends that have passed, oldest first, except of authorizations that others hold. */
export async function settleAll(
  { query, write }: Pick<Database, "query" | "write">,
  signal: AbortSignal,
): Promise<void> {
  const { isAnyDue } = await readMoment((statement) => query(statement, signal));
  if (!isAnyDue) return;
  for (;;) if ((await write(settleOldest, signal)).length < atOnce) return;
}
