import sql, { type Sql } from "sql-template-tag";
import type { Actor } from "../../authorization/actor.ts";
import { Refusal } from "../../authorization/refusal.ts";
import { acting } from "../database/acting.ts";
import type { Connection } from "../database/database.ts";
import * as authorizations from "./authorization-upserts.ts";
import { type Check, checks, duplicateChecks } from "./change-checks.ts";
import * as removals from "./directory-removals.ts";
import * as upserts from "./directory-upserts.ts";
import { canWorkInSets, inSets } from "./in-sets.ts";
import { lastOwner } from "./last-owner.ts";
import { type StagingTable, stagingTables } from "./staging.ts";

export type ApplyOptions = {
  readonly actor: Actor;
  /** The staging tables that are not empty. */
  readonly staged: ReadonlySet<StagingTable>;
  /** Whether so much is staged that Postgres should analyze the tables before it plans. */
  readonly many: boolean;
  /** Whether to refuse to remove the last IAM_OWNER. */
  readonly keepOwner: boolean;
  readonly progress: (message: string) => void;
};

/** Every directory change holds this advisory lock, so no two of them interfere. */
export const lockDirectory = "select pg_advisory_xact_lock(7206381402113)";

/**
 * Applies all staged changes: first the removals with everything that follows from them, then the upserts, each kind
 * after those it refers to. Throws the refusal of the first check that finds something. The caller must then roll back
 * the transaction.
 */
export async function applyStaged(connection: Connection, options: ApplyOptions): Promise<void> {
  const run = (statement: string) => connection.query({ text: statement, values: [] });
  await run(lockDirectory);
  if (options.many) for (const table of Object.keys(stagingTables)) await run(`analyze ${table}`);
  for (const check of duplicateChecks) await requireNone(connection, check);
  for (const statement of removals.findDoomed) await run(statement);
  if (options.keepOwner) await requireNone(connection, lastOwner);
  for (const statement of removals.lockAll) await run(statement);
  if (options.staged.has("staged_removals")) {
    for (const statement of removals.remove) await run(statement);
    options.progress("removals applied");
  }
  const putInPlace = async () => {
    for (const kind of kinds.filter(({ table }) => options.staged.has(table))) {
      for (const check of kind.checks) await requireNone(connection, check);
      for (const statement of kind.statements) await run(statement);
      options.progress(`${kind.name} applied`);
    }
    await run(removals.changeShrunk);
    if (options.staged.has("staged_removals")) {
      await connection.query(appendEvents(options.actor, sql`state is null`));
      await run(removals.rememberRemoved);
    }
    await connection.query(appendEvents(options.actor, sql`state is not null`));
  };
  if (options.many && (await canWorkInSets(connection))) await inSets(connection, putInPlace);
  else await putInPlace();
  if (options.staged.has("staged_removals")) await run(removals.forgetNumbers);
  if (options.many) await run(`analyze ${stored}`);
}

/** The tables whose statistics are outdated after a large change. */
const stored = `organizations, users, projects, project_roles, project_grants, project_grant_roles, administrators,
  authorizations, authorization_roles, authorization_change_dates, events, numbers, removed_things`;

async function requireNone(connection: Connection, { sql: text, reason }: Check): Promise<void> {
  const [found] = await connection.query<{ position: string; what: string; metadata?: Record<string, string> }>({
    text: `select * from (${text}) found order by position limit 1`,
    values: [],
  });
  if (found === undefined) return;
  throw new Refusal(reason, found.what, { index: found.position, what: found.what, ...found.metadata });
}

type Kind = {
  readonly table: StagingTable;
  readonly name: string;
  readonly checks: readonly Check[];
  readonly statements: readonly string[];
};

const kinds: readonly Kind[] = [
  {
    table: "staged_organizations",
    name: "organizations",
    checks: [],
    statements: [upserts.applyOrganizations],
  },
  { table: "staged_users", name: "users", checks: checks.users, statements: [upserts.applyUsers, upserts.moveUsers] },
  { table: "staged_projects", name: "projects", checks: checks.projects, statements: [upserts.applyProjects] },
  {
    table: "staged_project_roles",
    name: "project roles",
    checks: checks.projectRoles,
    statements: [upserts.applyProjectRoles],
  },
  {
    table: "staged_project_grants",
    name: "project grants",
    checks: checks.projectGrants,
    statements: [upserts.applyProjectGrants, removals.takeGrantKeys, upserts.dropGrantKeys, upserts.addGrantKeys],
  },
  {
    table: "staged_administrators",
    name: "administrators",
    checks: checks.administrators,
    statements: [upserts.dropAdministrators, upserts.applyAdministrators],
  },
  {
    table: "staged_authorizations",
    name: "authorizations",
    checks: checks.authorizations,
    statements: [
      authorizations.resolveAuthorizations,
      authorizations.addAuthorizations,
      authorizations.changeAuthorizations,
      authorizations.dropRoles,
      authorizations.addRoles,
      authorizations.resolvedEvents,
    ],
  },
];

/** @param isIncluded a condition on the pending events */
const appendEvents = (actor: Actor, isIncluded: Sql) => sql`
  insert into events (
    authorization_id, type, time, actor_id, request_id, reason, user_id, project_id, organization_id, project_grant_id,
    role_keys, state, creation_date, role_keys_before, state_before, creation_date_before, project_id_before,
    organization_id_before)
  select
    authorization_id, type, time, ${acting(actor)}, user_id, project_id, organization_id, project_grant_id,
    role_keys, state, creation_date, coalesce(role_keys_before, '{}'), state_before, creation_date_before,
    project_id_before, organization_id_before
  from pending_events
  where ${isIncluded}`;
