import sql from "sql-template-tag";
import { organizationsWithAll } from "../../authorization/permissions.ts";
import { canTakeOwner, type PlacedChange, requireAdministratorRoles } from "../../directory/change.ts";
import type { AppliedChanges, ChangeRequest } from "../../directory/store.ts";
import type { KeptEntries } from "../caller/kept-entries.ts";
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
 * the changes themselves. Reads one snapshot and takes no lock, so refused requests wait for no one and make no one wait.
 */
export async function requireApplicable(
  connection: Connection,
  kept: KeptEntries,
  { actor, changes, ifVersion }: ChangeRequest,
): Promise<Permitted & { readonly staged: Staged }> {
  await connection.query(oneSnapshot);
  const permitted = await requirePermittedNow(connection, kept, actor.userId, changes);
  await requireUnchanged(connection, ifVersion, changes);
  for (const { change, position } of changes) requireAdministratorRoles(change, position);
  await connection.query({ text: createStagingTables, values: [] });
  await connection.query(readOnly);
  const staged = await stage(connection, changes);
  await checkStaged(connection, staged);
  return { ...permitted, staged };
}

/** Only finds what the changes would do. */
export async function tryChanges(
  connection: Connection,
  kept: KeptEntries,
  request: ChangeRequest,
): Promise<AppliedChanges> {
  const { caller, moment, staged } = await requireApplicable(connection, kept, request);
  await findAllEffects(connection, staged, organizationsWithAll(caller, "user.write"));
  const answer = await answerOf(connection, caller, request.changes);
  return { answer, version: await readVersion(connection, moment) };
}

/** A dry run reads one snapshot, and writes only to temporary tables. */
const oneSnapshot = sql`set transaction isolation level repeatable read`;

/**
 * Applies the changes, after requireApplicable in an earlier transaction. Everything is judged and checked again behind the
 * locks, where nothing that decides can change any more.
 */
export async function applyPermitted(
  connection: Connection,
  kept: KeptEntries,
  { actor, changes, ifVersion }: ChangeRequest,
  longestWaitMs: number,
): Promise<AppliedChanges> {
  await lockDirectoryWithin(connection, longestWaitMs);
  const { caller, moment } = await requirePermittedNow(connection, kept, actor.userId, changes);
  await connection.query({ text: createStagingTables, values: [] });
  const staged = await stage(connection, changes);
  await lockAffected(connection, staged);
  await requireUnchanged(connection, ifVersion, changes);
  await checkStaged(connection, staged);
  await findAllEffects(connection, staged, organizationsWithAll(caller, "user.write"));
  const answer = await answerOf(connection, caller, changes);
  await writeStaged(connection, staged, actor, () => {});
  return { answer, version: await readVersion(connection, moment) };
}

async function stage(connection: Connection, changes: readonly PlacedChange[]): Promise<Staged> {
  const tables = await stageAll(connection, changes);
  const keepOwner = changes.some(({ change }) => canTakeOwner(change));
  const staged = { tables, many: false, keepOwner, isLimited: true, mayBeLarge: mayBeTooLarge(changes) };
  await findRemovals(connection, staged);
  return staged;
}
