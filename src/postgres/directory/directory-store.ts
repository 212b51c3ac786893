import type pg from "pg";
import sql from "sql-template-tag";
import { canTakeOwner, type PlacedChange, requireAdministratorRoles } from "../../directory/change.ts";
import type { DirectoryStore, ImportStore } from "../../directory/store.ts";
import { keepEntries } from "../caller/kept-entries.ts";
import type { Connection, Database } from "../database/database.ts";
import { sqlState } from "../database/failures.ts";
import { inTurn, withOwnConnection } from "../database/own-connection.ts";
import { answerOf } from "./answer.ts";
import {
  applyChecked,
  checkStaged,
  findAllEffects,
  lockAffected,
  lockDirectory,
  type Staged,
  writeStaged,
} from "./apply-changes.ts";
import { lockForPermitted, requirePermittedNow } from "./permitted-changes.ts";
import { previewOf } from "./preview.ts";
import { createStagingTables, stageAll, stageStream } from "./staging.ts";

/** For requests: runs on the pool, within their deadline. */
export function postgresChanges(database: Database, kept = keepEntries()): Pick<DirectoryStore, "apply"> {
  return {
    apply: ({ actor, changes, dryRun }, signal) =>
      database.transaction(signal, async (connection) => {
        if (dryRun) await connection.query(oneSnapshot);
        const judged = await requirePermittedNow(connection, kept, actor.userId, changes);
        for (const { change, position } of changes) requireAdministratorRoles(change, position);
        await connection.query({ text: createStagingTables, values: [] });
        if (dryRun) await connection.query(readOnly);
        const tables = await stageAll(connection, changes);
        const staged = { tables, many: false, keepOwner: changes.some(({ change }) => canTakeOwner(change)) };
        await checkStaged(connection, staged);
        if (dryRun) {
          await findAllEffects(connection, staged);
          return answerOf(connection, judged.caller, changes);
        }
        const permitted = await lockForPermitted(connection, kept, changes, judged);
        if (permitted !== judged) await checkStaged(connection, staged);
        await connection.query(sql`savepoint staged`);
        return despiteOthers(connection, staged, async () => {
          await lockAffected(connection, staged);
          await findAllEffects(connection, staged);
          const answer = await answerOf(connection, permitted.caller, changes);
          await writeStaged(connection, staged, actor, () => {});
          return answer;
        });
      }),
  };
}

/** A dry run reads one snapshot, and writes only to temporary tables. */
const oneSnapshot = sql`set transaction isolation level repeatable read`;
const readOnly = sql`set transaction read only`;

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
        await client.query("commit");
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

/** The errors if a request changes an authorization between a check and the statement that relies on it. */
const crossed = new Set(["23503", "23505", "40P01"]);

/** If a request interferes, checks and applies again, so the answer is the right refusal for the new state. */
async function despiteOthers<T>(connection: Connection, staged: Staged, apply: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await apply();
    } catch (error) {
      if (attempt === 3 || !crossed.has(sqlState(error) ?? "")) throw error;
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
