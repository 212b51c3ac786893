import sql, { raw, type Sql } from "sql-template-tag";
import type { Actor } from "../../../authorization/actor.ts";
import { Refusal } from "../../../authorization/refusal.ts";
import { readMoment, settle } from "../../change/settle.ts";
import { resourceKinds, resourceOf } from "../stage/resources.ts";
import type { Stage } from "../stage/staging.ts";
import { authorizationExists, type Check, checksOf, duplicates } from "./change-checks.ts";
import * as removals from "./directory-removals.ts";
import { putInPlace } from "./directory-upserts.ts";
import { appendEvents, appendResolved } from "./events-of-changes.ts";
import { canWorkInSets, inSets } from "./in-sets.ts";
import { lastOwner } from "./last-owner.ts";
import { entriesOfUser, outcomesTooLarge } from "./limits-of-requests.ts";
import { lockAffected } from "./lock-affected.ts";

/**
 * Throws the refusal of the first check that finds something. Only reads what is stored, and waits for no one.
 *
 * @param ofRequest how many changes a request has, for limits that imports don't have. One alone has no large outcome
 */
export async function checkStaged(stage: Stage, ofRequest = 0): Promise<void> {
  const { placed, removed } = stage;
  await requireNone(stage, [
    ...resourceKinds.filter((kind) => placed.has(kind) || removed.has(kind)).map(duplicates),
    ...(ofRequest > 0 ? [lastOwner] : []),
    ...resourceKinds.filter((kind) => placed.has(kind)).flatMap(checksOf),
    ...(placed.has("administrator") ? [entriesOfUser] : []),
    ...(ofRequest > 1 ? [outcomesTooLarge] : []),
  ]);
}

/** Resolves what changes say about assignments, behind all locks, once their ends that have passed are written. */
export async function resolveStaged(stage: Stage): Promise<void> {
  if (stage.placed.has("authorization")) await settleIn(stage, "staged_authorizations");
  await stage.resolve();
}

/**
 * Writes the ends that have passed of the assignments in a relation. Returns until when they have: what follows bears that
 * moment, or else an end could pass right before it.
 */
async function settleIn({ query }: Stage, relation: string): Promise<Sql> {
  const { moment, isAnyDue } = await readMoment(query);
  if (isAnyDue) await query(settle(sql`a.id in (select id from ${raw(relation)})`, undefined, moment));
  return moment;
}

/** Checks and makes the staged changes. Call it with the lock of the directory. */
export async function applyStaged(stage: Stage, actor: Actor, progress: (message: string) => void): Promise<void> {
  await lockAffected(stage);
  await checkStaged(stage);
  await resolveStaged(stage);
  await writeStaged(stage, actor, progress);
}

/**
 * Makes the changes, once assignments are resolved: first the removals with everything that follows from them, then the upserts, each
 * kind after those it refers to. The directory's events come before its changes, because they tell what was there.
 *
 * @param selected what to select of the effects, while they are found
 */
export async function writeStaged<Row extends object>(
  stage: Stage,
  actor: Actor,
  progress: (message: string) => void,
  selected?: Sql,
): Promise<Row[]> {
  const { placed, removed, many, has, query } = stage;
  let rows: Row[] = [];
  if (has("doomed_authorizations")) {
    const moment = await settleIn(stage, "doomed_authorizations");
    await query(removals.removeAuthorizations(actor, moment));
  }
  const writeAll = async () => {
    const remembers = (
      ["doomed_organizations", "doomed_users", "doomed_projects", "doomed_project_grants"] as const
    ).some(has);
    if (has("effects")) rows = await query<Row>(appendEvents(actor, remembers, selected));
    if (has("shrunk_authorizations")) {
      const moment = await settleIn(stage, "shrunk_authorizations");
      await query(removals.takeRoles(actor, moment));
    }
    if (removed.size > 0) {
      await run(stage, ...removals.removeFound(stage));
      progress("removals applied");
    }
    for (const kind of resourceKinds.filter((one) => placed.has(one))) {
      await run(stage, ...putInPlace[kind]);
      progress(`${resourceOf(kind).table.replaceAll("_", " ")} applied`);
    }
    if (placed.has("authorization")) {
      await requireNone(stage, [authorizationExists]);
      await query(appendResolved(actor));
    }
  };
  if (many && (await canWorkInSets(stage))) await inSets(stage, writeAll);
  else await writeAll();
  if (many) await run(stage, `analyze ${stored}`);
  return rows;
}

/** The tables whose statistics are outdated after a large change. */
const stored = `organizations, users, projects, project_roles, project_grants, project_grant_roles, administrators,
  authorizations, authorization_roles, authorization_change_dates, events, numbers, removed_things, directory_events,
  directory_event_places`;

/** Sends statements without parameters together. */
async function run({ query }: Stage, ...statements: string[]): Promise<void> {
  await Promise.all(statements.map((text) => query({ text, values: [] })));
}

type Found = { position: string; what: string; metadata: Record<string, string> | null; nth: number };

/** Throws the refusal of the first check that finds something, for the first change that it finds. */
async function requireNone({ query }: Stage, checks: readonly Check[]): Promise<void> {
  if (checks.length === 0) return;
  const all = checks.map(
    ({ sql }, nth) =>
      `select ${nth} as nth, position, what, to_jsonb(found) -> 'metadata' as metadata from (${sql}) found`,
  );
  const text = `${all.join(" union all ")} order by nth, position limit 1`;
  const [first] = await query<Found>({ text, values: [] });
  const check = checks[first?.nth ?? -1];
  if (first === undefined || check === undefined) return;
  throw new Refusal(check.reason, first.what, { index: first.position, what: first.what, ...first.metadata });
}
