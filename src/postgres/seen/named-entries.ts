import sql, { type Sql } from "sql-template-tag";
import type { NamedScope, Source } from "../../authorization/access.ts";
import type { User } from "../../authorization/authorization.ts";
import type { Scope, Visibility } from "../../authorization/permissions.ts";
import { type EntryRow, textOfScope, toEntry } from "./entries.ts";
import { idsOf, reachEverything } from "./scopes.ts";

export type UserRow = {
  user_id: string;
  preferred_login_name: string;
  display_name: string;
  avatar_url: string;
  user_organization_id: string;
};

export const columnsOfUser = sql`
    u.id as user_id, u.preferred_login_name, u.display_name, u.avatar_url, u.organization_id as user_organization_id`;

export function toUser(row: UserRow): User {
  return {
    id: row.user_id,
    preferredLoginName: row.preferred_login_name,
    displayName: row.display_name,
    avatarUrl: row.avatar_url,
    organizationId: row.user_organization_id,
  };
}

/** The names of an entry's scope; for a grant, those of its project and of the organization it is granted to. */
export type NamedEntryRow = NamesRow & EntryRow;
export type NamesRow = {
  named_project_id: string;
  project_name: string;
  project_organization_id: string;
  named_organization_id: string;
  organization_name: string;
};

export const columnsOfNames = sql`
    p.id as named_project_id, p.name as project_name, p.organization_id as project_organization_id,
    o.id as named_organization_id, o.name as organization_name`;

/**
 * Looks up the scope of an entry `e` by its id. With joins instead, Postgres might read every organization, project and
 * grant for every caller.
 */
export const namesOfEntry: Sql = sql`
  left join lateral (
    select * from project_grants where e.project_grant_id is not null and id = e.project_grant_id offset 0) g on true
  cross join lateral (
    select coalesce(e.project_id, g.project_id) as project_id,
      coalesce(e.organization_id, g.organization_id) as organization_id) ids
  left join lateral (
    select * from projects where ids.project_id is not null and id = ids.project_id offset 0) p on true
  left join lateral (
    select * from organizations where ids.organization_id is not null and id = ids.organization_id offset 0) o on true`;

export function toSource(row: NamedEntryRow): Source {
  const { scope, roles } = toEntry(row);
  return { scope: withNames(scope, row), roles };
}

export function toNamedEntry(row: UserRow & NamedEntryRow): Source & { readonly user: User } {
  return { user: toUser(row), ...toSource(row) };
}

function withNames({ kind, id }: Scope, row: NamesRow): NamedScope {
  switch (kind) {
    case "instance":
      return { kind, id };
    case "organization":
      return { kind, id, organization: toOrganization(row) };
    case "project":
      return { kind, id, project: toProject(row) };
    case "projectGrant":
      return { kind, id, project: toProject(row), organization: toOrganization(row) };
  }
}

export function toProject(row: NamesRow) {
  return { id: row.named_project_id, name: row.project_name, organizationId: row.project_organization_id };
}

export function toOrganization(row: NamesRow) {
  return { id: row.named_organization_id, name: row.organization_name };
}

/** True for an entry of the caller, or within one of its scopes. There is an index for each of the three ways. */
export function isSeenEntry({ userId, scopes }: Visibility, as: Sql): Sql {
  if (reachEverything(scopes)) return sql`true`;
  const single = scopes.filter(({ kind }) => kind !== "organization").map(textOfScope);
  return sql`(${as}.user_id = ${userId}::text
        or ${as}.home_id = any(${idsOf("organization", scopes)}::text[])
        or ${as}.scope = any(${single}::text[]))`;
}
