import sql, { type Sql } from "sql-template-tag";
import { everywhere, holdsPermission } from "../../authorization/permissions.ts";
import type { PlacedChange } from "../../directory/change.ts";
import { type Facts, type Inheritable, keyOfEntry, type Named, namedBy } from "../../directory/facts.ts";
import { requirePermitted } from "../../directory/permitted-changes.ts";
import { type CallerRow, entriesOf, findCallerByUserId, toCaller } from "../caller/caller-store.ts";
import type { Connection } from "../database/database.ts";
import { type EntryRow, toEntry } from "../seen/entries.ts";

/**
 * Throws PERMISSION_DENIED for the first change that the caller may not make. One statement reads everything that
 * decides, so it all comes from one snapshot, however many changes there are. Callers who may change everything need no
 * more than their rights.
 */
export async function requirePermittedNow(
  { query }: Connection,
  callerId: string,
  changes: readonly PlacedChange[],
): Promise<void> {
  const [caller] = await query<CallerRow>(findCallerByUserId(callerId));
  if (caller !== undefined && holdsPermission(toCaller(caller), "directory.write", everywhere)) return;
  const [row] = await query<FactsRow>(selectFacts(callerId, namedBy(changes)));
  if (row === undefined) throw new Error("a statement without a condition found no row");
  requirePermitted(toCaller(row), changes, toFacts(row));
}

type FactsRow = CallerRow & {
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

/** Looks everything up by its id. Of a removed organization's users, only those with entries are looked at. */
const selectFacts = (callerId: string, { users, organizations, projects, projectGrants, entries }: Named): Sql => sql`
  select
    u.id as user_id, ${entriesOf("u.id")} as entries,
    ${allOf(sql`
      select json_build_array(u.id, u.organization_id,
        exists (select from administrators a where a.user_id = u.id and ${isOnInstance}),
        exists (select from administrators a where a.user_id = u.id and a.organization_id = u.organization_id))
      from users u where u.id = any(${users}::text[])`)} as users,
    ${allOf(sql`
      select json_build_array(o.id,
        exists (
          select from administrators a join users u on u.id = a.user_id
          where ${isOnInstance} and u.organization_id = o.id),
        exists (
          select from administrators a join users u on u.id = a.user_id and u.organization_id = a.organization_id
          where a.organization_id = o.id))
      from organizations o where o.id = any(${organizations}::text[])`)} as organizations,
    ${allOf(sql`
      select json_build_array(p.id, p.organization_id)
      from projects p where p.id = any(${projects}::text[])`)} as projects,
    ${allOf(sql`
      select json_build_array(g.id, g.project_id, g.owner_id, g.organization_id)
      from project_grants g where g.id = any(${projectGrants}::text[])`)} as grants,
    ${allOf(sql`
      select to_json(a) from administrators a join ${asRows(entries)}
        on a.user_id = named.user_id
        and coalesce(a.organization_id, '') = named.organization_id
        and coalesce(a.project_id, '') = named.project_id
        and coalesce(a.project_grant_id, '') = named.project_grant_id`)} as named,
    ${allOf(sql`
      select json_build_array(r.kind, r.id, r.organization_id) from removed_things r
      where (r.kind = 'user' and r.id = any(${users}::text[]))
        or (r.kind = 'project' and r.id = any(${projects}::text[]))
        or (r.kind = 'projectGrant' and r.id = any(${projectGrants}::text[]))`)} as former
  from (select ${callerId}::text as id) u`;

const isOnInstance = sql`num_nonnulls(a.organization_id, a.project_id, a.project_grant_id) = 0`;

function allOf(rows: Sql): Sql {
  return sql`array_to_json(array(${rows}))`;
}

function asRows(entries: Named["entries"]): Sql {
  const cells = entries.map(({ userId, scope }) => [
    userId,
    scope.kind === "organization" ? scope.organizationId : "",
    scope.kind === "project" ? scope.projectId : "",
    scope.kind === "projectGrant" ? scope.projectGrantId : "",
  ]);
  const column = (index: number) => sql`${cells.map((row) => row[index])}::text[]`;
  return sql`unnest(${column(0)}, ${column(1)}, ${column(2)}, ${column(3)})
          as named (user_id, organization_id, project_id, project_grant_id)`;
}
