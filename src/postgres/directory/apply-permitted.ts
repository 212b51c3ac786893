import sql from "sql-template-tag";
import { everywhere, organizationsWithAll, placesWith } from "../../authorization/permissions.ts";
import { Refusal } from "../../authorization/refusal.ts";
import { type Change, canTakeOwner, requireAdministratorRoles } from "../../directory/change.ts";
import { changedOrganizations, newThings, removedAndGranted } from "../../directory/changed-organizations.ts";
import type { AppliedChanges, ChangeRequest } from "../../directory/store.ts";
import type { Connection } from "../pool/database.ts";
import { answerOf } from "./answer.ts";
import { checkLocked, checkStaged, findAllEffects, lockAffected, type Staged, writeStaged } from "./apply-changes.ts";
import { lockOrganizations } from "./directory-locks.ts";
import { readVersion, requireUnchanged } from "./directory-version.ts";
import { mayBeTooLarge } from "./limits-of-requests.ts";
import { type Permitted, readMoment, requirePermittedNow } from "./permitted-changes.ts";
import { createStagingTables, readOnly, stageAll } from "./staging.ts";
import { isCrossed, StartOver } from "./start-over.ts";

/**
 * Applies the changes of a request, or only finds what they would do. Throws PERMISSION_DENIED for the first change that the
 * caller may not make, then DIRECTORY_CHANGED, then the refusals of the changes themselves.
 *
 * Everything is checked before any lock, so dry runs and refused requests wait for no one and make no one wait.
 */
export async function applyPermitted(connection: Connection, request: ChangeRequest): Promise<AppliedChanges> {
  const judge = () => judgeNow(connection, request);
  const { changes, dryRun } = request;
  if (dryRun) await connection.query(oneSnapshot);
  const judged = await judge();
  for (const { change, position } of changes) requireAdministratorRoles(change, position);
  await connection.query({ text: createStagingTables, values: [] });
  if (dryRun) await connection.query(readOnly);
  const tables = await stageAll(connection, changes);
  const keepOwner = changes.some(({ change }) => canTakeOwner(change));
  const staged = { tables, many: false, keepOwner, mayBeLarge: mayBeTooLarge(changes) };
  await checkStaged(connection, staged);
  if (!dryRun) return applyAlone(connection, request, staged, judged, judge);
  await findAllEffects(connection, staged, organizationsWithAll(judged.caller, "user.write"));
  const answer = await answerOf(connection, judged.caller, changes);
  return { answer, version: await readVersion(connection, judged.moment) };
}

/** A dry run reads one snapshot, and writes only to temporary tables. */
const oneSnapshot = sql`set transaction isolation level repeatable read`;

type Judge = () => Promise<Permitted>;

async function judgeNow(connection: Connection, { actor, changes, ifVersion }: ChangeRequest): Promise<Permitted> {
  const judged = await requirePermittedNow(connection, actor.userId, changes);
  await requireUnchanged(connection, ifVersion, changes);
  return judged;
}

/**
 * Applies changes that were checked, alone in the organizations they are about. Behind the locks, nothing that decides can
 * change any more. Everything is checked again there if anything has changed since. If the changes turn out to be about
 * other organizations, or others get in the way, everything starts over without any lock. Callers who may change everything
 * then make the change alone, which keeps all others waiting. Someone else could provoke that again and again.
 */
async function applyAlone(
  connection: Connection,
  request: ChangeRequest,
  staged: Staged,
  checked: Permitted,
  judge: Judge,
): Promise<AppliedChanges> {
  let judged = checked;
  for (let attempt = 1; ; attempt += 1) {
    const mayBeAlone = placesWith(judged.caller, "directory.write")(everywhere);
    const isLast = attempt === (mayBeAlone ? mostAttempts : mostAttemptsBeside);
    const isAlone = isLast && mayBeAlone;
    const organizations = isAlone ? undefined : changedOrganizations(request.changes, judged.facts);
    try {
      const [, , moment] = await Promise.all([
        connection.query(sql`savepoint unlocked`),
        lockOrganizations(
          connection,
          organizations && { changed: organizations, ...removedAndGranted(request.changes) },
        ),
        readMoment(connection),
      ]);
      if (moment !== judged.moment) {
        judged = await judge();
        requireLocked(request, judged, organizations);
        await checkStaged(connection, staged);
      }
      return await applyLocked(connection, request, staged, judged, organizations, judge);
    } catch (error) {
      if (isLast && error instanceof StartOver)
        throw new Refusal("OVERLOADED", "too many other changes at the same time; try again");
      if (isLast || !isCrossed(error)) throw error;
      // This also lets go of the locks.
      await connection.query(sql`rollback to savepoint unlocked`);
      judged = await judge();
      await checkStaged(connection, staged);
    }
  }
}

const mostAttempts = 4;

/** Each attempt fails only if another change was made meanwhile. The deadline usually ends them before. */
const mostAttemptsBeside = 100;

/** Throws StartOver if the changes are now about an organization that isn't locked. */
function requireLocked(
  { changes }: ChangeRequest,
  { facts }: Permitted,
  locked: ReadonlySet<string> | undefined,
): void {
  if (locked === undefined) return;
  const needed = changedOrganizations(changes, facts);
  if (needed === undefined || !needed.isSubsetOf(locked)) throw new StartOver();
}

/** @param organizations those that are locked; undefined if nothing else can change */
async function applyLocked(
  connection: Connection,
  request: ChangeRequest,
  staged: Staged,
  judged: Permitted,
  organizations: ReadonlySet<string> | undefined,
  judge: Judge,
): Promise<AppliedChanges> {
  const { actor, changes, ifVersion } = request;
  const added = organizations === undefined ? [] : newThings(changes, judged.facts);
  await lockAffected(connection, staged, organizations);
  if (changes.some(({ change }) => reliesOnOthers(change, ifVersion !== undefined))) {
    requireLocked(request, await judge(), organizations);
  }
  await checkLocked(connection, staged);
  await findAllEffects(connection, staged, organizationsWithAll(judged.caller, "user.write"));
  const answer = await answerOf(connection, judged.caller, changes);
  await writeStaged(connection, staged, actor, () => {}, added);
  return { answer, version: await readVersion(connection, judged.moment) };
}

/**
 * Whether a change relies on something that others can change until it is locked itself: the grant of an entry belongs to
 * the owner of its project. An entry also goes with its user, and assignments change without the locks of organizations,
 * which matters if the request is made only if they haven't changed.
 */
function reliesOnOthers(change: Change, hasVersion: boolean): boolean {
  const thing = change.kind === "removal" ? change.thing : change;
  if (thing.kind === "administrator") return hasVersion || thing.scope.kind === "projectGrant";
  return hasVersion && thing.kind === "authorization";
}
