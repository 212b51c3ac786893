import type pg from "pg";
import sql from "sql-template-tag";
import { canTakeOwner, requireAdministratorRoles } from "../../directory/change.ts";
import type { DirectoryStore, ImportStore } from "../../directory/store.ts";
import { keepEntries } from "../caller/kept-entries.ts";
import type { Connection, Database } from "../database/database.ts";
import { sqlState } from "../database/failures.ts";
import { withOwnConnection } from "../database/own-connection.ts";
import { applyStaged } from "./apply-changes.ts";
import { lockForPermitted } from "./permitted-changes.ts";
import { createStagingTables, stageAll, stageStream } from "./staging.ts";

/** For requests: runs on the pool, within their deadline. */
export function postgresChanges(database: Database, kept = keepEntries()): Pick<DirectoryStore, "apply"> {
  return {
    apply: (actor, changes, signal) =>
      database.transaction(signal, async (connection) => {
        await lockForPermitted(connection, kept, actor.userId, changes);
        for (const { change, position } of changes) requireAdministratorRoles(change, position);
        await connection.query({ text: createStagingTables, values: [] });
        const staged = await stageAll(connection, changes);
        const keepOwner = changes.some(({ change }) => canTakeOwner(change));
        const options = { actor, staged, many: false, keepOwner, progress: () => {} };
        await applyDespiteOthers(connection, () => applyStaged(connection, options));
      }),
  };
}

/** For commands: each call uses a connection of its own, without a time limit for statements. */
export function postgresImport(connection: pg.ClientConfig): ImportStore {
  return {
    isEmpty: () =>
      withOwnConnection(connection, async (client) => {
        const { rows } = await client.query<{ is_empty: boolean }>(
          "select not exists (select from organizations) as is_empty",
        );
        return rows[0]?.is_empty ?? true;
      }),
    import: (actor, changes, progress) =>
      withOwnConnection(connection, async (client) => {
        await client.query("begin isolation level read committed");
        await client.query(createStagingTables);
        const { count, staged } = await stageStream(
          client,
          changes,
          reportEvery(10_000, (n) => progress(`${n} lines read`)),
        );
        progress(`${count} lines read, applying them`);
        const options = { actor, staged, many: count >= 10_000, keepOwner: false, progress };
        const onClient: Connection = { query: async (statement) => (await client.query(statement)).rows };
        await applyDespiteOthers(onClient, () => applyStaged(onClient, options));
        await client.query("commit");
        return count;
      }),
  };
}

/** The errors if a request changes an authorization between a check and the statement that relies on it. */
const crossed = new Set(["23503", "23505", "40P01"]);

/** If a request interferes, checks and applies again, so the answer is the right refusal for the new state. */
async function applyDespiteOthers(connection: Connection, apply: () => Promise<void>): Promise<void> {
  await connection.query(sql`savepoint staged`);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await apply();
    } catch (error) {
      if (attempt === 3 || !crossed.has(sqlState(error) ?? "")) throw error;
      await connection.query(sql`rollback to savepoint staged`);
    }
  }
}

function reportEvery(step: number, report: (count: number) => void): (count: number) => void {
  return (count) => {
    if (count % step === 0) report(count);
  };
}
