import type pg from "pg";
import sql from "sql-template-tag";
import type { PlacedChange } from "../../directory/change.ts";
import type { DirectoryStore, ImportStore } from "../../directory/store.ts";
import { commit } from "../pool/commit.ts";
import type { Connection, Database } from "../pool/database.ts";
import { inTurn, withOwnConnection } from "../pool/own-connection.ts";
import { applyChecked, checkStaged, findAllEffects, type Staged } from "./apply-changes.ts";
import { applyPermitted } from "./apply-permitted.ts";
import { lockDirectory } from "./directory-locks.ts";
import { previewOf } from "./preview.ts";
import { createStagingTables, readOnly, stageStream } from "./staging.ts";
import { isCrossed } from "./start-over.ts";

/** For requests: runs on the pool, within their deadline. */
export function postgresChanges(database: Database): Pick<DirectoryStore, "apply"> {
  return {
    apply: (request, signal) => database.transaction(signal, (connection) => applyPermitted(connection, request)),
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
        const { onClient, count, staged } = await stageFile(client, changes, progress, "applying them");
        await client.query(lockDirectory);
        await checkStaged(onClient, staged);
        await client.query("savepoint staged");
        await despiteOthers(onClient, staged, () => applyChecked(onClient, staged, actor, progress));
        await commit(client);
        return count;
      }),
    preview: (changes, most, progress) =>
      withOwnConnection(connection, async (client) => {
        await client.query("begin isolation level repeatable read");
        const { onClient, count, staged } = await stageFile(client, changes, progress, "comparing them");
        await client.query(readOnly);
        await checkStaged(onClient, staged);
        await findAllEffects(onClient, staged);
        return { changes: count, ...(await previewOf(onClient, most)) };
      }),
  };
}

/** Reads all changes into the staging tables. */
async function stageFile(
  client: pg.Client,
  changes: AsyncIterable<PlacedChange>,
  progress: (message: string) => void,
  what: string,
) {
  await client.query(createStagingTables);
  const { count, tables } = await stageStream(
    client,
    changes,
    reportEvery(10_000, (n) => progress(`${n} lines read`)),
  );
  progress(`${count} lines read, ${what}`);
  const onClient = inTurn(client);
  const staged: Staged = { tables, many: count >= 10_000, keepOwner: false };
  return { onClient, count, staged };
}

/** If a request interferes, checks and applies again, so the answer is the right refusal for the new state. */
async function despiteOthers<T>(connection: Connection, staged: Staged, apply: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await apply();
    } catch (error) {
      if (attempt === 3 || !isCrossed(error)) throw error;
      await connection.query(sql`rollback to savepoint staged`);
      await checkStaged(connection, staged);
    }
  }
}

function reportEvery(step: number, report: (count: number) => void): (count: number) => void {
  return (count) => {
    if (count % step === 0) report(count);
  };
}
