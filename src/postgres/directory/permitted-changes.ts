import sql, { raw, type Sql } from "sql-template-tag";
import type { Caller, Scope } from "../../authorization/permissions.ts";
import type { PlacedChange } from "../../directory/change.ts";
import { type Facts, type Inheritable, keyOfEntry, type Named, namedBy } from "../../directory/facts.ts";
import { requirePermitted } from "../../directory/permitted-changes.ts";
import { type CallerRow, entriesOf } from "../caller/caller-store.ts";
import { areCredentialsValid, requireValidCredentials } from "../caller/proving.ts";
import type { Connection } from "../pool/database.ts";
import { firstRow } from "../pool/first-row.ts";
import { named } from "../pool/prepared.ts";
import { type EntryRow, toEntry } from "../seen/entries.ts";

/** A caller who may make some changes, and the snapshot by which that was found. */
export type Permitted = { readonly caller: Caller; readonly moment: string };

/**
 * Throws PERMISSION_DENIED for the first change that the caller may not make. Waits for no one. One statement reads
 * everything that decides, so it all comes from one snapshot, however many changes there are.
 */
export async function requirePermittedNow(
  connection: Connection,
  callerId: string,
  changes: readonly PlacedChange[],
): Promise<Permitted> {
  const { facts, ...permitted } = await readFacts(connection, callerId, changes);
  requirePermitted(permitted.caller, changes, facts);
  return permitted;
}

/** Reads what decides whether a caller may make the changes. Throws UNAUTHENTICATED if its token went while they waited. */
export async function readFacts(
  { query }: Connection,
  callerId: string,
  changes: readonly PlacedChange[],
): Promise<Permitted & { readonly facts: Facts }> {
  const row = firstRow(await query<FactsRow>(selectFacts(callerId, namedBy(changes))));
  requireValidCredentials(row);
  return {
    caller: { userId: callerId, entries: row.entries.map(toEntry) },
    moment: row.moment,
    facts: toFacts(row),
  };
}

/** Maps are objects in JSON. */
type Stored<Of> = Of extends ReadonlyMap<string, infer Value> ? Readonly<Record<string, Value>> : never;

type FactsRow = CallerRow & {
  [kind in "users" | "organizations" | "projects" | "projectGrants"]: Stored<Facts[kind]>;
} & {
  moment: string;
  is_valid: boolean;
  named: (EntryRow & { user_id: string })[];
  former: { readonly [kind in Inheritable]: Record<string, string> };
};

function toFacts({ users, organizations, projects, projectGrants, named, former }: FactsRow): Facts {
  const mapOf = <Value>(stored: Readonly<Record<string, Value>>) => new Map(Object.entries(stored));
  return {
    users: mapOf(users),
    organizations: mapOf(organizations),
    projects: mapOf(projects),
    projectGrants: mapOf(projectGrants),
    entries: new Map(named.map((entry) => [keyOfEntry(entry.user_id, toEntry(entry).scope), entry.roles])),
    formerly: {
      user: mapOf(former.user),
      project: mapOf(former.project),
      projectGrant: mapOf(former.projectGrant),
    },
  };
}

/**
 * Looks up each thing by its id. With `any`, Postgres may read a whole index instead, which takes ten times as long. Of a
 * removed organization's users, only those with entries are looked at.
 */
const selectFacts = (callerId: string, { users, organizations, projects, projectGrants, entries }: Named) =>
  named(
    "find what decides",
    sql`
  select
    u.id as user_id, pg_current_snapshot()::text as moment, ${entriesOf("u.id")} as entries,
    ${areCredentialsValid()} as is_valid,
    ${mapOf(
      each("users", users),
      sql`json_build_object(
        'organizationId', t.organization_id,
        'onInstance', exists (select from administrators a where a.user_id = t.id and ${isOnInstance}),
        'onOrganization', exists (
          select from administrators a where a.user_id = t.id and a.organization_id = t.organization_id))`,
    )} as users,
    ${mapOf(
      each("organizations", organizations),
      sql`json_build_object(
        'onInstance', exists (
          select from administrators a join users u on u.id = a.user_id
          where ${isOnInstance} and u.organization_id = t.id),
        'onOrganization', exists (
          select from administrators a join users u on u.id = a.user_id and u.organization_id = a.organization_id
          where a.organization_id = t.id))`,
    )} as organizations,
    ${mapOf(each("projects", projects), sql`json_build_object('ownerId', t.organization_id)`)} as projects,
    ${mapOf(
      each("project_grants", projectGrants),
      sql`json_build_object('projectId', t.project_id, 'ownerId', t.owner_id, 'organizationId', t.organization_id)`,
    )} as "projectGrants",
    array_to_json(array(
      ${entriesOn("organization", entries)} union all
      ${entriesOn("project", entries)} union all
      ${entriesOn("projectGrant", entries)})) as named,
    json_build_object(
      'user', ${formerlyIn("user", users)},
      'project', ${formerlyIn("project", projects)},
      'projectGrant', ${formerlyIn("projectGrant", projectGrants)}) as former
  from (select ${callerId}::text as id) u`,
  );

const isOnInstance = sql`num_nonnulls(a.organization_id, a.project_id, a.project_grant_id) = 0`;

/** The facts of each of these rows `t`, by its id. */
function mapOf(rows: Sql, facts: Sql): Sql {
  return sql`(select coalesce(json_object_agg(t.id, ${facts}), '{}') from ${rows})`;
}

/** The rows `t` with these ids, each found by its own look-up. */
function each(table: string, ids: readonly string[], condition = sql`true`): Sql {
  return sql`unnest(${ids}::text[]) as asked (id)
        cross join lateral (select * from ${raw(table)} where ${condition} and id = asked.id limit 1) t`;
}

function formerlyIn(kind: Inheritable, ids: readonly string[]): Sql {
  return mapOf(each("removed_things", ids, sql`kind = ${raw(`'${kind}'`)}`), sql`t.organization_id`);
}

function entriesOn(kind: Exclude<Scope["kind"], "instance">, entries: Named["entries"]): Sql {
  const asked = entries.filter(({ scope }) => scope.kind === kind);
  const column = { organization: sql`organization_id`, project: sql`project_id`, projectGrant: sql`project_grant_id` };
  return sql`
      select to_json(a) from unnest(
        ${asked.map(({ userId }) => userId)}::text[], ${asked.map(({ scope }) => scope.id)}::text[]
      ) as asked (user_id, id)
      cross join lateral (
        select * from administrators where user_id = asked.user_id and ${column[kind]} = asked.id limit 1) a`;
}
