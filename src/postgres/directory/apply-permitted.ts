import { organizationsWithAll } from "../../authorization/permissions.ts";
import { requireAdministratorRoles } from "../../directory/change.ts";
import type { AppliedChanges, ChangeRequest } from "../../directory/store.ts";
import type { Connection } from "../pool/database.ts";
import { type OutcomeRow, readAssignments, selectEffectsNamed, toAnswer } from "./answer.ts";
import { checkStaged, resolveStaged, writeStaged } from "./apply/apply-changes.ts";
import { lockDirectoryWithin } from "./apply/directory-locks.ts";
import { lockAffected } from "./apply/lock-affected.ts";
import { readVersion, requireUnchanged } from "./directory-version.ts";
import { type Permitted, requirePermittedNow } from "./permitted-changes.ts";
import { planFor, type Stage, stageInParameters } from "./stage/staging.ts";

/**
 * Throws PERMISSION_DENIED for the first change that the caller may not make, then DIRECTORY_CHANGED, then the refusals of
 * the changes themselves. Reads one snapshot and takes no lock, so a request that is refused waits for no one and makes no one
 * wait.
 */
export async function requireApplicable(
  connection: Connection,
  request: ChangeRequest,
): Promise<Permitted & { readonly stage: Stage }> {
  const { changes, ifVersion } = request;
  await connection.query({ text: `${oneSnapshot}; ${planFor(changes)}`, values: [] });
  const judged = await judgeAndStage(connection, request);
  await requireUnchanged(connection, ifVersion, changes);
  for (const { change, position } of changes) requireAdministratorRoles(change, position);
  await checkStaged(judged.stage, changes.length);
  return judged;
}

/** Begins a transaction that only reads. */
export const oneSnapshot = "set transaction isolation level repeatable read, read only";

/** The same for removals, in a transaction that has begun. */
export async function requireRemovable(connection: Connection, request: ChangeRequest): Promise<void> {
  const { stage } = await judgeAndStage(connection, request);
  await checkStaged(stage, request.changes.length);
}

/** Only finds what the changes would do. */
export async function tryChanges(connection: Connection, request: ChangeRequest): Promise<AppliedChanges> {
  const { caller, moment, stage } = await requireApplicable(connection, request);
  const assignments = await readAssignments(stage, caller);
  const found = stage.has("effects") ? await stage.query<OutcomeRow>(selectEffectsNamed) : [];
  const answer = toAnswer(caller, request.changes, assignments, found);
  return { answer, version: await readVersion(connection, moment) };
}

/**
 * Applies the changes of a request that was applicable before. It is judged again behind the lock of the directory, and
 * checked again behind all locks, where nothing that decides can change any more.
 */
export async function applyChanges(
  connection: Connection,
  request: ChangeRequest,
  longestWaitMs: number,
): Promise<AppliedChanges> {
  const { actor, changes, ifVersion } = request;
  await Promise.all([
    connection.query({ text: planFor(changes), values: [] }),
    lockDirectoryWithin(connection, longestWaitMs),
  ]);
  const { caller, moment, stage } = await judgeAndStage(connection, request);
  await lockAffected(stage);
  await requireUnchanged(connection, ifVersion, changes);
  await checkStaged(stage, changes.length);
  await resolveStaged(stage);
  const assignments = await readAssignments(stage, caller);
  const found = await writeStaged<OutcomeRow>(stage, actor, () => {}, selectEffectsNamed);
  const answer = toAnswer(caller, changes, assignments, found);
  return { answer, version: await readVersion(connection, moment) };
}

async function judgeAndStage(connection: Connection, { actor, changes }: ChangeRequest) {
  const permitted = await requirePermittedNow(connection, actor.userId, changes);
  const organizations = organizationsWithAll(permitted.caller, "user.write");
  return { ...permitted, stage: stageInParameters(connection, changes, organizations) };
}
