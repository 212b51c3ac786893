import type pg from "pg";
import sql, { join, raw, type Sql } from "sql-template-tag";
import type { EventFilter, HistoryFilter } from "../../authorization/history.ts";
import type { DirectoryEventFilter } from "../../directory/history.ts";
import { inBatches } from "../pool/in-batches.ts";
import { untilFinal } from "../pool/until-final.ts";
import { assignmentEvents } from "./assignment-events.ts";
import { directoryEvents } from "./directory-events.ts";
import { conditionsOn, type HistoryTable, inTime } from "./history-table.ts";
import { expirationDateBefore, requestId, roleKeysBefore, stateBefore } from "./listed-events.ts";
import { narrow } from "./narrowing.ts";

/** The events of a history that match some filters, for the command line, which sees all of them. */
export type History = {
  readonly table: "kept_events" | "kept_directory_events";
  /** The columns of an event `e`. */
  readonly columns: Sql;
  /** True for an event `e` that matches. */
  readonly matches: Sql;
};

export function assignmentHistory(filters: readonly EventFilter[]): History {
  return { table: "kept_events", columns: ofEvents, matches: matching(assignmentEvents, filters) };
}

export function directoryHistory(filters: readonly DirectoryEventFilter[]): History {
  return { table: "kept_directory_events", columns: ofDirectoryEvents, matches: matching(directoryEvents, filters) };
}

function matching<Id extends string, Type extends string>(
  table: HistoryTable<Id, Type>,
  filters: readonly HistoryFilter<Id, Type>[],
): Sql {
  const narrowing = narrow(filters, table.several);
  if (narrowing === undefined) return sql`false`;
  const conditions = [...inTime(narrowing), ...conditionsOn(table, narrowing, undefined, raw(""))];
  return join([sql`true`, ...conditions], " and ");
}

const ofEvents = sql`
    e.sequence, e.time, e.type, e.actor_id as "actorId", e.authorization_id as "authorizationId", e.user_id as "userId",
    e.project_id as "projectId", e.organization_id as "organizationId", e.project_grant_id as "projectGrantId",
    e.role_keys as "roleKeys", e.state, ${raw(roleKeysBefore)} as "roleKeysBefore", ${raw(stateBefore)} as "stateBefore",
    e.expiration_date as "expirationDate", ${raw(expirationDateBefore)} as "expirationDateBefore",
    ${raw(requestId)} as "requestId", e.reason`;

const ofDirectoryEvents = sql`
    e.sequence, e.time, e.kind, e.actor_id as "actorId", e.request_id as "requestId", e.reason, e.before, e.after`;

/**
 * Reads the matching events, oldest first and in batches, within the transaction of the client.
 *
 * @param range only the events after a sequence, and up to another one
 */
export async function* readHistory(
  client: pg.ClientBase,
  { table, columns, matches }: History,
  range?: { readonly after: string; readonly to: string },
): AsyncGenerator<object[]> {
  const isWithin =
    range === undefined ? sql`true` : sql`e.sequence > ${range.after}::bigint and e.sequence <= ${range.to}::bigint`;
  // All rows are read, so the plan must not be the one that finds the first rows soonest.
  await client.query("set local cursor_tuple_fraction = 1");
  yield* inBatches(
    client,
    sql`select ${columns} from ${raw(table)} e where ${matches} and ${isWithin} order by e.sequence`,
  );
}

/**
 * Reads the matching events so far, and then new ones, in the order of their sequences. Changes take their sequences before they
 * commit, so an event is read once no transaction is left that could append an earlier one.
 *
 * @param rest resolves when to look again
 */
export async function* followHistory(
  client: pg.ClientBase,
  history: History,
  rest: () => Promise<unknown>,
): AsyncGenerator<object[]> {
  for (let after = "0"; ; await rest()) {
    const newest = `select sequence from ${history.table} order by sequence desc limit 1`;
    const to = (await client.query<{ sequence: string }>(newest)).rows[0]?.sequence ?? "0";
    if (BigInt(to) <= BigInt(after)) continue;
    await untilFinal(client, rest);
    await client.query("begin isolation level repeatable read read only");
    yield* readHistory(client, history, { after, to });
    await client.query("commit");
    after = to;
  }
}
