import type pg from "pg";
import type { Actor } from "../../../authorization/actor.ts";
import type { PlacedChange } from "../../../directory/change.ts";
import type { Preview } from "../../../directory/preview.ts";
import { commit } from "../../pool/commit.ts";
import { withOwnConnection } from "../../pool/own-connection.ts";
import { applyStaged, checkStaged } from "../apply/apply-changes.ts";
import { lockDirectory } from "../apply/directory-locks.ts";
import { previewOf } from "./preview.ts";
import { stageInTables } from "./stage-in-tables.ts";

export type ImportStore = ReturnType<typeof postgresImport>;

type Changes = AsyncIterable<PlacedChange> | Iterable<PlacedChange>;
/** Receives messages for people about what is being done. */
type Progress = (message: string) => void;

/**
 * The directory, as commands fill and inspect it: each call uses a connection of its own, without a time limit for
 * statements. What iterating over changes throws, it throws.
 */
export function postgresImport(connection: pg.ClientConfig) {
  return {
    /** Whether the directory is empty. */
    isEmpty: () =>
      withOwnConnection(connection, async (client) => {
        const { rows } = await client.query<{ is_empty: boolean }>(
          "select not exists (select from organizations) as is_empty",
        );
        return rows[0]?.is_empty ?? true;
      }),
    /**
     * Applies any number of changes, without judging who makes them. They may remove the last IAM_OWNER.
     *
     * @returns the number of changes
     */
    import: (actor: Actor, changes: Changes, progress: Progress) =>
      withOwnConnection(connection, async (client) => {
        await client.query("begin isolation level read committed");
        const stage = await stageFile(client, changes, progress, "applying them");
        await client.query(lockDirectory);
        await applyStaged(stage, actor, progress);
        await commit(client);
        return stage.count;
      }),
    /**
     * Finds what importing the changes would do, without changing anything or waiting for other changes. Throws what
     * importing them would throw.
     *
     * @param most how many differences to return
     */
    preview: (changes: Changes, most: number, progress: Progress) =>
      withOwnConnection(connection, async (client): Promise<Preview> => {
        await client.query("begin isolation level repeatable read");
        const stage = await stageFile(client, changes, progress, "comparing them");
        await checkStaged(stage);
        return { changes: stage.count, ...(await previewOf(stage, most)) };
      }),
  };
}

async function stageFile(client: pg.Client, changes: Changes, progress: Progress, what: string) {
  const stage = await stageInTables(client, changes, (count) => {
    if (count % 10_000 === 0) progress(`${count} lines read`);
  });
  progress(`${stage.count} lines read, ${what}`);
  return stage;
}
