import type pg from "pg";
import type { PlacedChange } from "../../../directory/change.ts";
import type { ImportStore } from "../../../directory/store.ts";
import { commit } from "../../pool/commit.ts";
import { withOwnConnection } from "../../pool/own-connection.ts";
import { applyStaged, checkStaged } from "../apply/apply-changes.ts";
import { lockDirectory } from "../apply/directory-locks.ts";
import { previewOf } from "./preview.ts";
import { stageInTables } from "./stage-in-tables.ts";

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
        const stage = await stageFile(client, changes, progress, "applying them");
        await client.query(lockDirectory);
        await applyStaged(stage, actor, progress);
        await commit(client);
        return stage.count;
      }),
    preview: (changes, most, progress) =>
      withOwnConnection(connection, async (client) => {
        await client.query("begin isolation level repeatable read");
        const stage = await stageFile(client, changes, progress, "comparing them");
        await checkStaged(stage);
        return { changes: stage.count, ...(await previewOf(stage, most)) };
      }),
  };
}

async function stageFile(
  client: pg.Client,
  changes: AsyncIterable<PlacedChange>,
  progress: (message: string) => void,
  what: string,
) {
  const stage = await stageInTables(client, changes, (count) => {
    if (count % 10_000 === 0) progress(`${count} lines read`);
  });
  progress(`${stage.count} lines read, ${what}`);
  return stage;
}
