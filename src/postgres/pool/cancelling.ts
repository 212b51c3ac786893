import pg from "pg";
import { graceMs, streamOf } from "./give-up.ts";
import type { Hosts } from "./hosts.ts";
import { sessionOf } from "./own-session.ts";

/** Cancels statements over a connection of its own, because it must not wait for the connections it should free. */
export function openCancelling(
  connection: pg.ClientConfig,
  hosts: Hosts | undefined,
  onIdleError: (error: Error) => void,
) {
  const pool = new pg.Pool({
    ...connection,
    ...(hosts && { Client: hosts.Client }),
    max: 1,
    idleTimeoutMillis: 0,
    // A network that drops everything must not keep the connections that wait for a cancel.
    connectionTimeoutMillis: graceMs,
    query_timeout: graceMs,
  });
  pool.on("error", (error) => pool.ending || onIdleError(error));
  return {
    /** Cancels the statement that runs on a connection. The connection stays open if Postgres answers. */
    async cancel(client: pg.PoolClient): Promise<void> {
      if (streamOf(client).destroyed) return;
      const { pid, startedAt } = sessionOf(client);
      try {
        const { rows } = await pool.query<{ sent: boolean }>(cancelSession, [pid, startedAt]);
        // There is no such session: another server now answers at that address.
        if (rows[0]?.sent !== true) streamOf(client).destroy();
      } catch {
        // Postgres notices the closed socket and ends the statement.
        streamOf(client).destroy();
      }
    },
    close: () => pool.end(),
  };
}

/**
 * After a fail-over, another session may have the process id, but it began at another time. A statement that waits for a
 * synchronous standby is committing. A cancel would only end the wait, and show others what may be lost in a fail-over.
 */
const cancelSession = `
  select wait_event is not distinct from 'SyncRep' or pg_cancel_backend($1) as sent
  from pg_stat_get_activity($1)
  where backend_start = $2::timestamptz`;
