import sql from "sql-template-tag";
import { organizationsWithAll } from "../../authorization/permissions.ts";
import { canTakeOwner, type PlacedChange, requireAdministratorRoles } from "../../directory/change.ts";
import type { AppliedChanges, ChangeRequest } from "../../directory/store.ts";
import type { Connection } from "../pool/database.ts";
import { answerOf } from "./answer.ts";
import { checkStaged, findAllEffects, findRemovals, lockAffected, type Staged, writeStaged } from "./apply-changes.ts";
import { lockDirectoryWithin } from "./directory-locks.ts";
import { readVersion, requireUnchanged } from "./directory-version.ts";
import { mayBeTooLarge } from "./limits-of-requests.ts";
import { type Permitted, requirePermittedNow } from "./permitted-changes.ts";
import { createStagingTables, readOnly, stageAll } from "./staging.ts";

/**
 * Throws PERMISSION_DENIED for the first change that the caller may not make, then DIRECTORY_CHANGED, then the refusals of
 * the changes themselves. Reads one snapshot, writes only to temporary tables and takes no lock, so a request that is refused
 * waits for no one and makes no one wait.
 */
export async function requireApplicable(
  connection: Connection,
  { actor, changes, ifVersion }: ChangeRequest,
): Promise<Permitted & { readonly staged: Staged }> {
  await connection.query(sql`set transaction isolation level repeatable read`);
  const permitted = await requirePermittedNow(connection, actor.userId, changes);
  await requireUnchanged(connection, ifVersion, changes);
  for (const { change, position } of changes) requireAdministratorRoles(change, position);
  const staged = await stage(connection, changes);
  await connection.query(readOnly);
  await findRemovals(connection, staged);
  await checkStaged(connection, staged);
  return { ...permitted, staged };
}

/** Only finds what the changes would do. */
export async function tryChanges(connection: Connection, request: ChangeRequest): Promise<AppliedChanges> {
  const { caller, moment, staged } = await requireApplicable(connection, request);
  await findAllEffects(connection, staged, organizationsWithAll(caller, "user.write"));
  const answer = await answerOf(connection, caller, request.changes, staged.tables);
  return { answer, version: await readVersion(connection, moment) };
}

/**
 * Applies the changes of a request that was applicable before. It is judged again behind the lock of the directory, and
 * checked again behind all locks, where nothing that decides can change any more.
 */
export async function applyChanges(
  connection: Connection,
  { actor, changes, ifVersion }: ChangeRequest,
  longestWaitMs: number,
): Promise<AppliedChanges> {
  const staged = await stage(connection, changes);
  await lockDirectoryWithin(connection, longestWaitMs);
  const { caller, moment } = await requirePermittedNow(connection, actor.userId, changes);
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
  await connection.query({ text: createStagingTables, values: [] });
  const tables = await stageAll(connection, changes);
  const keepOwner = changes.some(({ change }) => canTakeOwner(change));
  return { tables, many: false, keepOwner, mayBeLarge: mayBeTooLarge(changes) };
}
