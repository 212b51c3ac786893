import { randomUUID } from "node:crypto";
import type { Instant } from "../../authorization/authorization.ts";
import type { PlacedChange } from "../../directory/change.ts";
import { insertToken } from "../caller/caller-store.ts";
import type { Connection, Database } from "../database/database.ts";
import { applyStaged, lockDirectory } from "./apply-changes.ts";
import { isOwner } from "./last-owner.ts";
import { createStagingTables, stageAll } from "./staging.ts";

/** What makes the first owner of the instance, and the token it calls with. */
export type FirstOwner = {
  readonly changes: readonly PlacedChange[];
  readonly token: { readonly userId: string; readonly hash: Buffer; readonly expiresInSeconds: number | undefined };
};

/** When the token ends, undefined for never; or who owned the instance before, so that nothing was made. */
export type MadeOwner = { readonly expirationDate: Instant | undefined } | { readonly existingOwner: string };

/** Makes the owner and the token in one transaction, unless the instance has an owner. */
export function makeFirstOwner(database: Database, { changes, token }: FirstOwner): Promise<MadeOwner> {
  const { userId, hash, expiresInSeconds } = token;
  const forever = new AbortController().signal;
  return database.transaction(forever, async (connection): Promise<MadeOwner> => {
    const run = (text: string) => connection.query({ text, values: [] });
    // Everyone who makes an owner holds this lock, so no other one can come between the look and the commit.
    await run(lockDirectory);
    const existingOwner = await selectInstanceOwner(connection.query);
    if (existingOwner !== undefined) return { existingOwner };
    await run(createStagingTables);
    const staged = await stageAll(connection, changes);
    await applyStaged(connection, { actorId: undefined, staged, many: false, keepOwner: false, progress: () => {} });
    const insert = insertToken(randomUUID(), userId, hash, expiresInSeconds);
    const [row] = await connection.query<{ expiration_date: Instant | null }>(insert);
    return { expirationDate: row?.expiration_date ?? undefined };
  });
}

/** The id of a user that may do everything everywhere, if there is one. */
export function findInstanceOwner(database: Pick<Database, "query">, signal: AbortSignal): Promise<string | undefined> {
  return selectInstanceOwner((statement) => database.query(statement, signal));
}

async function selectInstanceOwner(query: Connection["query"]): Promise<string | undefined> {
  const [row] = await query<{ user_id: string }>({
    text: `select a.user_id from administrators a where ${isOwner("a")} order by a.user_id limit 1`,
    values: [],
  });
  return row?.user_id;
}
