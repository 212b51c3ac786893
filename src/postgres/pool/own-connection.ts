import pg from "pg";
import type { Connection } from "./database.ts";
import { orGiveUp } from "./give-up.ts";
import { hearWarnings, nameSystem, waitForDisk, withTypes } from "./session.ts";

/** Imports have no time limits: the file may arrive slowly, and statements may take long. */
const sessionSettings = `
  set timezone = 'UTC';
  set datestyle = 'ISO';
  set jit = off;
  set statement_timeout = 0;
  set idle_in_transaction_session_timeout = 0;
  ${nameSystem}
  ${hearWarnings}
  ${waitForDisk}`;

/** For commands: opens a connection only for this work. Closing it rolls back uncommitted work. */
export async function withOwnConnection<T>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(withTypes(connection));
  // If the connection breaks, the running statement rejects. This only keeps the process alive.
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(sessionSettings);
    return await work(client);
  } finally {
    // Postgres drops temporary tables when a session ends, and may wait for a synchronous standby to confirm that.
    await orGiveUp(client, client.end());
  }
}

/** Runs statements one after the other, even if they are started together. */
export function inTurn(client: pg.ClientBase): Connection {
  let last: Promise<unknown> = Promise.resolve();
  return {
    async query(statement) {
      const result = last.then(() => client.query(statement));
      last = result.catch(() => {});
      return (await result).rows;
    },
  };
}
