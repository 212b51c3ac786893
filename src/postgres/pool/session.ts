import pg from "pg";
import { unavailable } from "./failures.ts";
import { parseInstant } from "./instants.ts";
import { takeSession } from "./own-session.ts";

/** The settings that every session of this service relies on. */
export function sessionSettings(statementTimeoutMs: number): string {
  return `
    set timezone = 'UTC';
    set datestyle = 'ISO';
    set default_transaction_isolation = 'read committed';
    set jit = off;
    set random_page_cost = 1.1;
    set statement_timeout = ${statementTimeoutMs};
    set idle_in_transaction_session_timeout = ${statementTimeoutMs};
    set client_connection_check_interval = '1s';
    ${nameSystem}
    ${hearWarnings}
    ${waitForDisk}`;
}

/** Events say in which cluster their transactions were (migrations/0004_events.sql). */
export const nameSystem = `
    select set_config('authorization_service.system', system_identifier::text, false) from pg_control_system();`;

/** Acknowledged changes must survive a power cut, whatever the database's settings. Stronger settings are kept. */
export const waitForDisk = `
    select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`;

/** A commit is only certain without the warning that it was not replicated. See commit.ts. */
export const hearWarnings = `
    select set_config('client_min_messages', 'warning', false)
    where current_setting('client_min_messages') in ('error', 'fatal', 'panic');`;

/** Prepares a new session. Refuses a read-only server, because after a fail-over it may be a stale copy. */
export async function prepareSession(client: pg.ClientBase, statementTimeoutMs: number): Promise<void> {
  const { isReadOnly } = await takeSession(client, sessionSettings(statementTimeoutMs));
  if (isReadOnly) throw unavailable(new Error("the database is read-only"));
}

/** Makes clients with this configuration read timestamps to the microsecond. */
export function withTypes(connection: pg.ClientConfig): pg.ClientConfig {
  const timestamptz: number = pg.types.builtins.TIMESTAMPTZ;
  const getTypeParser = ((id: number, format?: "text" | "binary") =>
    id === timestamptz ? parseInstant : pg.types.getTypeParser(id, format as "text")) as typeof pg.types.getTypeParser;
  return { application_name: "authorization-service", keepAlive: true, ...connection, types: { getTypeParser } };
}
