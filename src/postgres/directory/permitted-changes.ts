import sql, { raw, type Sql } from "sql-template-tag";
import type { Caller, Scope } from "../../authorization/permissions.ts";
import type { PlacedChange } from "../../directory/change.ts";
import { type Facts, type Inheritable, keyOfEntry, type Named, namedBy } from "../../directory/facts.ts";
import { requirePermitted } from "../../directory/permitted-changes.ts";
import { type CallerRow, entriesOf } from "../caller/caller-store.ts";
import type { Connection } from "../pool/database.ts";
import { named } from "../pool/prepared.ts";
import { type EntryRow, toEntries, toEntry } from "../seen/entries.ts";

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

/** Reads what decides whether a caller may make the changes. */
export async function readFacts(
  { query }: Connection,
  callerId: string,
  changes: readonly PlacedChange[],
): Promise<Permitted & { readonly facts: Facts }> {
  const [row] = await query<FactsRow>(selectFacts(callerId, namedBy(changes)));
  if (row === undefined) throw new Error("a statement without a condition found no row");
  return {
    caller: { userId: callerId, entries: toEntries(row.entries) },
    moment: row.moment,
    facts: toFacts(row),
  };
}

type FactsRow = CallerRow & {
  moment: string;
  users: [id: string, organizationId: string, onInstance: boolean, onOrganization: boolean][];
  organizations: [id: string, onInstance: boolean, onOrganization: boolean][];
  projects: [id: string, ownerId: string][];
  grants: [id: string, projectId: string, ownerId: string, organizationId: string][];
  named: (EntryRow & { user_id: string })[];
  former: [kind: Inheritable, id: string, organizationId: string][];
};

function toFacts(row: FactsRow): Facts {
  const formerly = (kind: Inheritable) =>
    new Map(row.former.flatMap(([its, id, organizationId]) => (its === kind ? [[id, organizationId]] : [])));
  return {
    users: new Map(
      row.users.map(([id, organizationId, onInstance, onOrganization]) => [
        id,
        { organizationId, onInstance, onOrganization },
      ]),
    ),
    organizations: new Map(
      row.organizations.map(([id, onInstance, onOrganization]) => [id, { onInstance, onOrganization }]),
    ),
    projects: new Map(row.projects.map(([id, ownerId]) => [id, { ownerId }])),
    projectGrants: new Map(
      row.grants.map(([id, projectId, ownerId, organizationId]) => [id, { projectId, ownerId, organizationId }]),
    ),
    entries: new Map(row.named.map((entry) => [keyOfEntry(entry.user_id, toEntry(entry).scope), entry.roles])),
    formerly: { user: formerly("user"), project: formerly("project"), projectGrant: formerly("projectGrant") },
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
    ${allOf(sql`
      select json_build_array(u.id, u.organization_id,
        exists (select from administrators a where a.user_id = u.id and ${isOnInstance}),
        exists (select from administrators a where a.user_id = u.id and a.organization_id = u.organization_id))
      from ${each("users", users, sql`u`)}`)} as users,
    ${allOf(sql`
      select json_build_array(o.id,
        exists (
          select from administrators a join users u on u.id = a.user_id
          where ${isOnInstance} and u.organization_id = o.id),
        exists (
          select from administrators a join users u on u.id = a.user_id and u.organization_id = a.organization_id
          where a.organization_id = o.id))
      from ${each("organizations", organizations, sql`o`)}`)} as organizations,
    ${allOf(sql`
      select json_build_array(p.id, p.organization_id) from ${each("projects", projects, sql`p`)}`)} as projects,
    ${allOf(sql`
      select json_build_array(g.id, g.project_id, g.owner_id, g.organization_id)
      from ${each("project_grants", projectGrants, sql`g`)}`)} as grants,
    ${allOf(sql`
      ${entriesOn("organization", entries)} union all
      ${entriesOn("project", entries)} union all
      ${entriesOn("projectGrant", entries)}`)} as named,
    ${allOf(sql`
      select json_build_array(r.kind, r.id, r.organization_id) from (
        select r.* from ${each("removed_things", users, sql`r`, sql`kind = 'user'`)}
        union all
        select r.* from ${each("removed_things", projects, sql`r`, sql`kind = 'project'`)}
        union all
        select r.* from ${each("removed_things", projectGrants, sql`r`, sql`kind = 'projectGrant'`)}) r`)} as former
  from (select ${callerId}::text as id) u`,
  );

const isOnInstance = sql`num_nonnulls(a.organization_id, a.project_id, a.project_grant_id) = 0`;

function allOf(rows: Sql): Sql {
  return sql`array_to_json(array(${rows}))`;
}

/** The rows with these ids, each found by its own look-up. */
function each(table: string, ids: readonly string[], as: Sql, condition = sql`true`): Sql {
  return sql`unnest(${ids}::text[]) as asked (id)
        cross join lateral (select * from ${raw(table)} where ${condition} and id = asked.id limit 1) ${as}`;
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
