import pg from "pg";
import { Refusal } from "../authorization/refusal.ts";
import { parseInstant } from "./instants.ts";

/** The settings every session of this service relies on. */
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
    ${waitForDisk}`;
}

/** What was acknowledged must survive a power cut, whatever the database is set to. Stronger settings are left alone. */
export const waitForDisk = `
    select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`;

/** Makes a new session ready, or refuses it: a copy that cannot be written, as after a fail-over, may be a stale one. */
export async function prepareSession(client: pg.ClientBase, statementTimeoutMs: number): Promise<void> {
  await client.query(sessionSettings(statementTimeoutMs));
  const { rows } = await client.query<{ transaction_read_only: string }>("show transaction_read_only");
  if (rows[0]?.transaction_read_only === "on") throw readOnly();
}

function readOnly(): Refusal {
  const cause = new Error("the database is read-only");
  return new Refusal("DATABASE_UNAVAILABLE", "the database cannot be reached, try again", {}, { cause });
}

/** Reads timestamps to the microsecond on the clients made from this configuration. */
export function withTypes(connection: pg.ClientConfig): pg.ClientConfig {
  const timestamptz: number = pg.types.builtins.TIMESTAMPTZ;
  const getTypeParser = ((id: number, format?: "text" | "binary") =>
    id === timestamptz ? parseInstant : pg.types.getTypeParser(id, format as "text")) as typeof pg.types.getTypeParser;
  return { application_name: "authorization-service", keepAlive: true, ...connection, types: { getTypeParser } };
}
