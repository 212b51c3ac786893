import sql from "sql-template-tag";
import { organizationsWithAll } from "../../authorization/permissions.ts";
import { canTakeOwner, type PlacedChange, requireAdministratorRoles } from "../../directory/change.ts";
import type { AppliedChanges, ChangeRequest } from "../../directory/store.ts";
import type { KeptEntries } from "../caller/kept-entries.ts";
import type { Connection } from "../pool/database.ts";
import { answerOf } from "./answer.ts";
import {
  checkStaged,
  findAllEffects,
  findRemovals,
  lockAffected,
  requireDistinct,
  type Staged,
  writeStaged,
} from "./apply-changes.ts";
import { lockDirectoryWithin } from "./directory-locks.ts";
import { readVersion, requireUnchanged } from "./directory-version.ts";
import { mayBeTooLarge } from "./limits-of-requests.ts";
import { type Permitted, requirePermittedNow } from "./permitted-changes.ts";
import { createStagingTables, readOnly, stageAll } from "./staging.ts";

/**
 * Throws PERMISSION_DENIED for the first change that the caller may not make, then DIRECTORY_CHANGED, then what is wrong with
 * the roles of entries. Takes no lock, so a request that is refused here waits for no one and makes no one wait.
 */
export async function judge(
  connection: Connection,
  kept: KeptEntries,
  { actor, changes, ifVersion }: ChangeRequest,
): Promise<Permitted> {
  const permitted = await requirePermittedNow(connection, kept, actor.userId, changes);
  await requireUnchanged(connection, ifVersion, changes);
  for (const { change, position } of changes) requireAdministratorRoles(change, position);
  return permitted;
}

/** Only finds what the changes would do. Reads one snapshot, and writes only to temporary tables. */
export async function tryChanges(
  connection: Connection,
  kept: KeptEntries,
  request: ChangeRequest,
): Promise<AppliedChanges> {
  await connection.query(sql`set transaction isolation level repeatable read`);
  const { caller, moment } = await judge(connection, kept, request);
  await connection.query({ text: createStagingTables, values: [] });
  await connection.query(readOnly);
  const staged = await stage(connection, request.changes);
  await findRemovals(connection, staged);
  await checkStaged(connection, staged);
  await findAllEffects(connection, staged, organizationsWithAll(caller, "user.write"));
  const answer = await answerOf(connection, caller, request.changes, staged.tables);
  return { answer, version: await readVersion(connection, moment) };
}

/**
 * Applies the changes of a request that was judged before. It is judged again behind the lock of the directory, and checked
 * behind all locks, where nothing that decides can change any more.
 */
export async function applyChanges(
  connection: Connection,
  kept: KeptEntries,
  { actor, changes, ifVersion }: ChangeRequest,
  longestWaitMs: number,
): Promise<AppliedChanges> {
  await connection.query({ text: createStagingTables, values: [] });
  const staged = await stage(connection, changes);
  await lockDirectoryWithin(connection, longestWaitMs);
  const { caller, moment } = await requirePermittedNow(connection, kept, actor.userId, changes);
  await findRemovals(connection, staged);
  await lockAffected(connection, staged);
  await requireUnchanged(connection, ifVersion, changes);
  await checkStaged(connection, staged);
  await findAllEffects(connection, staged, organizationsWithAll(caller, "user.write"));
  const answer = await answerOf(connection, caller, changes, staged.tables);
  await writeStaged(connection, staged, actor, () => {});
  return { answer, version: await readVersion(connection, moment) };
}

async function stage(connection: Connection, changes: readonly PlacedChange[]): Promise<Staged> {
  const tables = await stageAll(connection, changes);
  const keepOwner = changes.some(({ change }) => canTakeOwner(change));
  const staged = { tables, many: false, keepOwner, isLimited: true, mayBeLarge: mayBeTooLarge(changes) };
  await requireDistinct(connection, staged);
  return staged;
}
