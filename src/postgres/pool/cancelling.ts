import pg from "pg";
import { graceMs, streamOf } from "./give-up.ts";
import type { Hosts } from "./hosts.ts";
import { sessionOf } from "./session-mark.ts";

/** Cancels statements over a connection of its own, because it must not wait for the connections it should free. */
type Cancelling = {
  /** Cancels the statement that runs on a connection. The connection stays open if Postgres answers. */
  cancel(client: pg.PoolClient): Promise<void>;
  close(): Promise<void>;
};

export function openCancelling(
  connection: pg.ClientConfig,
  hosts: Hosts | undefined,
  onIdleError: (error: Error) => void,
): Cancelling {
  const pool = new pg.Pool({
    ...connection,
    ...(hosts && { Client: hosts.Client }),
    max: 1,
    idleTimeoutMillis: 0,
    // A network that drops everything must not keep the connections that wait for a cancel.
    connectionTimeoutMillis: graceMs,
    query_timeout: graceMs,
  });
  pool.on("error", onIdleError);
  return {
    async cancel(client) {
      // Its process id may be that of another session on the new primary.
      if (streamOf(client).destroyed) return;
      try {
        const { rows } = await pool.query<{ sent: boolean }>("select pg_cancel_backend($1) as sent", [
          sessionOf(client).pid,
        ]);
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
