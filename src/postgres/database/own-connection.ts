import pg from "pg";
import { waitForDisk, withTypes } from "./session.ts";

/** Nothing ends an import from outside: its file may come slowly, and its statements may take long. */
const sessionSettings = `
  set timezone = 'UTC';
  set datestyle = 'ISO';
  set jit = off;
  set statement_timeout = 0;
  set idle_in_transaction_session_timeout = 0;
  ${waitForDisk}`;

/** For commands: a connection for this work alone. Closing it rolls back what was not committed. */
export async function withOwnConnection<T>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(withTypes(connection));
  // The statement that is running rejects when the connection breaks; this only keeps the process alive.
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(sessionSettings);
    return await work(client);
  } finally {
    await client.end();
  }
}
