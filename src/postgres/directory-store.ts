import pg from "pg";
import type { DirectoryStore } from "../directory/store.ts";
import { applyStaged } from "./apply-changes.ts";
import { withTypes } from "./database.ts";
import { createStagingTables, stage } from "./staging.ts";

/** Every change of the directory holds this advisory lock, so that two of them never cross. */
const directoryLock = 7_206_381_402_113;

/** Opens a connection of its own for each call, without a limit on how long statements may take. */
export function postgresDirectory(connection: pg.ClientConfig): DirectoryStore {
  return {
    isEmpty: () =>
      withClient(connection, async (client) => {
        const { rows } = await client.query<{ is_empty: boolean }>(
          "select not exists (select from organizations) as is_empty",
        );
        return rows[0]?.is_empty ?? true;
      }),
    findInstanceOwner: () =>
      withClient(connection, async (client) => {
        const { rows } = await client.query<{ user_id: string }>(selectInstanceOwner);
        return rows[0]?.user_id;
      }),
    import: (changes, progress) =>
      withClient(connection, async (client) => {
        await client.query("begin");
        await createStagingTables(client);
        const count = await stage(
          client,
          changes,
          reportEvery(10_000, (n) => progress(`${n} lines read`)),
        );
        progress(`${count} lines read, applying them`);
        await client.query(`select pg_advisory_xact_lock(${directoryLock})`);
        await applyStaged(client, progress);
        await client.query("commit");
        return count;
      }),
  };
}

const selectInstanceOwner = `
  select user_id from administrators
  where num_nonnulls(organization_id, project_id, project_grant_id) = 0 and 'IAM_OWNER' = any(roles)
  order by user_id
  limit 1`;

/** Closing the connection rolls back what was not committed. */
async function withClient<T>(connection: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(withTypes(connection));
  // The statement that is running rejects when the connection breaks; this only keeps the process alive.
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query("set timezone = 'UTC'; set datestyle = 'ISO'; set statement_timeout = 0; set jit = off");
    return await work(client);
  } finally {
    await client.end();
  }
}

function reportEvery(step: number, report: (count: number) => void): (count: number) => void {
  return (count) => {
    if (count % step === 0) report(count);
  };
}
