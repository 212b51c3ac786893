import type { Actor } from "../../authorization/actor.ts";
import { Refusal } from "../../authorization/refusal.ts";
import type { Connection } from "../pool/database.ts";
import { findAuthorizationEffects } from "./authorization-effects.ts";
import * as authorizations from "./authorization-upserts.ts";
import { authorizationExists, type Check, checks, duplicateChecks } from "./change-checks.ts";
import { appendOthers, appendRemovals } from "./directory-events.ts";
import * as removals from "./directory-removals.ts";
import * as upserts from "./directory-upserts.ts";
import { findEffects } from "./effects.ts";
import { canWorkInSets, inSets } from "./in-sets.ts";
import { lastOwner } from "./last-owner.ts";
import { limitChecks } from "./limits-of-requests.ts";
import { lockAll, lockTokens, movingUsers } from "./lock-affected.ts";
import { type StagingTable, stagingTables } from "./staging.ts";

/** What is in the staging tables. */
export type Staged = {
  /** Those that are not empty. */
  readonly tables: ReadonlySet<StagingTable>;
  /** Whether so much is staged that Postgres should analyze the tables before it plans. */
  readonly many: boolean;
  /** Whether to refuse to remove the last IAM_OWNER. */
  readonly keepOwner: boolean;
  /** Whether the outcomes could be larger than a request may have, so that they must be measured. */
  readonly mayBeLarge?: boolean;
};

/** The first step: finds everything that is removed, by name or together with what it belongs to. Waits for no one. */
export async function findRemovals(connection: Connection, { tables, many }: Staged): Promise<void> {
  if (many) await run(connection, analyzeStaged);
  if (tables.has("staged_removals")) await run(connection, ...removals.findDoomed);
}

/** Throws the refusal of the first check that finds something. Only reads what is stored, and waits for no one. */
export async function checkStaged(
  connection: Connection,
  { tables, keepOwner, mayBeLarge = false }: Staged,
): Promise<void> {
  const removes = tables.has("staged_removals");
  await requireNone(connection, [
    ...duplicateChecks.filter(({ table }) => removes || tables.has(table)).map(({ check }) => check),
    ...(keepOwner ? [lastOwner] : []),
    ...kinds.filter(({ table }) => tables.has(table)).flatMap(({ table }) => checks[table]),
    ...limitChecks(tables, mayBeLarge),
  ]);
}

/**
 * Locks the assignments, and what they depend on, that the changes concern. What is checked and found afterwards stays true.
 * Call it with the lock of the directory, after findRemovals.
 */
export async function lockAffected(connection: Connection, { tables }: Staged): Promise<void> {
  const removes = tables.has("staged_removals");
  const concerns = removes || tables.has("staged_project_grants") || tables.has("staged_authorizations");
  if (!concerns && !(tables.has("staged_users") && (await movesUsers(connection)))) return;
  await run(connection, ...lockAll);
  if (!removes) return;
  for (let known = 0; ; ) {
    const [tokens] = await connection.query<{ count: number }>({ text: lockTokens, values: [] });
    if (tokens === undefined || tokens.count === known) return;
    known = tokens.count;
  }
}

async function movesUsers({ query }: Connection): Promise<boolean> {
  const [moving] = await query({ text: `${movingUsers} limit 1`, values: [] });
  return moving !== undefined;
}

/**
 * Finds what the staged changes do, after checkStaged. Only reads what is stored, and waits for no one.
 *
 * @param organizations where the caller may remove users; undefined for everywhere
 */
export async function findAllEffects(
  connection: Connection,
  { tables }: Staged,
  organizations?: readonly string[],
): Promise<void> {
  if (tables.has("staged_removals")) await connection.query(removals.findDoomedTokens(organizations));
  await run(
    connection,
    ...findEffects(tables),
    ...findAuthorizationEffects
      .filter(({ of }) => of.some((table) => tables.has(table)))
      .map(({ statement }) => statement),
  );
}

/** Checks and makes the staged changes. Call it with the lock of the directory. */
export async function applyStaged(
  connection: Connection,
  staged: Staged,
  actor: Actor,
  progress: (message: string) => void,
): Promise<void> {
  await findRemovals(connection, staged);
  await lockAffected(connection, staged);
  await checkStaged(connection, staged);
  await findAllEffects(connection, staged);
  await writeStaged(connection, staged, actor, progress);
}

/**
 * Makes the changes, after findAllEffects: first the removals with everything that follows from them, then the upserts, each kind
 * after those it refers to. The history gets its events in the same order.
 */
export async function writeStaged(
  connection: Connection,
  { tables, many }: Staged,
  actor: Actor,
  progress: (message: string) => void,
): Promise<void> {
  const removes = tables.has("staged_removals");
  const shrinks = removes || tables.has("staged_project_grants");
  if (removes) await connection.query(removals.removeAuthorizations(actor));
  if (shrinks) await run(connection, removals.takeRoles);
  if (removes) await run(connection, ...removals.remove);
  // An entry that is given without roles is removed, too.
  if (removes || tables.has("staged_administrators")) await connection.query(appendRemovals(actor));
  if (removes) {
    await run(connection, removals.rememberRemoved);
    progress("removals applied");
  }
  const putInPlace = async () => {
    for (const kind of kinds.filter(({ table }) => tables.has(table))) {
      await run(connection, ...kind.statements);
      progress(`${kind.name} applied`);
    }
    if (tables.has("staged_authorizations")) {
      await requireNone(connection, [authorizationExists]);
      await connection.query(authorizations.appendResolved(actor));
    }
    if (shrinks) await connection.query(removals.changeShrunk(actor));
    await connection.query(appendOthers(actor));
  };
  if (many && (await canWorkInSets(connection))) await inSets(connection, putInPlace);
  else {
    await putInPlace();
    if (shrinks || tables.has("staged_authorizations")) await run(connection, authorizations.keepChangeDates);
  }
  if (removes) await run(connection, removals.forgetNumbers);
  if (many) await run(connection, `analyze ${stored}`);
}

const analyzeStaged = `analyze ${Object.keys(stagingTables).join(", ")}`;

/** The tables whose statistics are outdated after a large change. */
const stored = `organizations, users, projects, project_roles, project_grants, project_grant_roles, administrators,
  authorizations, authorization_roles, authorization_change_dates, events, numbers, removed_things, directory_events,
  directory_event_places`;

/** Sends statements without parameters as one message. */
async function run(connection: Connection, ...statements: string[]): Promise<void> {
  if (statements.length > 0) await connection.query({ text: statements.join(";\n"), values: [] });
}

type Found = { position: string; what: string; metadata?: Record<string, string> };

async function requireNone(connection: Connection, all: readonly Check[]): Promise<void> {
  const find = ({ sql }: Check) =>
    connection.query<Found>({ text: `select * from (${sql}) found order by position limit 1`, values: [] });
  const results = await Promise.all(all.map(async (check) => ({ check, found: await find(check) })));
  for (const { check, found } of results) {
    const [first] = found;
    if (first === undefined) continue;
    throw new Refusal(check.reason, first.what, { index: first.position, what: first.what, ...first.metadata });
  }
}

type Kind = {
  readonly table: keyof typeof checks;
  readonly name: string;
  readonly statements: readonly string[];
};

const kinds: readonly Kind[] = [
  { table: "staged_organizations", name: "organizations", statements: [upserts.applyOrganizations] },
  {
    table: "staged_users",
    name: "users",
    statements: [upserts.applyUsers, upserts.moveUsers],
  },
  {
    table: "staged_projects",
    name: "projects",
    statements: [upserts.applyProjects],
  },
  { table: "staged_project_roles", name: "project roles", statements: [upserts.applyProjectRoles] },
  {
    table: "staged_project_grants",
    name: "project grants",
    statements: [upserts.applyProjectGrants, upserts.dropGrantKeys, upserts.addGrantKeys],
  },
  {
    table: "staged_administrators",
    name: "administrators",
    statements: [upserts.dropAdministrators, upserts.applyAdministrators],
  },
  {
    table: "staged_authorizations",
    name: "authorizations",
    statements: [
      authorizations.addAuthorizations,
      authorizations.changeAuthorizations,
      authorizations.dropRoles,
      authorizations.addRoles,
    ],
  },
];
