import sql, { type Sql } from "sql-template-tag";
import type { NamedScope, Source } from "../../authorization/access.ts";
import type { AccessQuestion, AccessStore, FoundAccess, User } from "../../authorization/access-store.ts";
import { type AdministratorRole, type Scope, visibilityOf } from "../../authorization/permissions.ts";
import type { Database } from "../database/database.ts";
import { named } from "../database/prepared.ts";
import { type EntryRow, toEntry } from "../seen/entries.ts";
import { isVisible } from "../seen/scopes.ts";
import { mayKnow } from "../seen/users.ts";
import { entriesOf } from "./caller-store.ts";

export function postgresAccess(database: Database): AccessStore {
  return {
    async findUser(userId, signal) {
      const rows = await database.query<UserRow & (NamedEntryRow | { roles: null })>(selectUser(userId), signal);
      const [first] = rows;
      if (first === undefined) return undefined;
      return { user: toUser(first), entries: rows.flatMap((row) => (row.roles === null ? [] : [toSource(row)])) };
    },
    async findAccess(question, signal) {
      const [row] = await database.query<AccessRow>(selectAccess(question), signal);
      return row && toAccess(row);
    },
  };
}

type UserRow = {
  user_id: string;
  preferred_login_name: string;
  display_name: string;
  avatar_url: string;
  user_organization_id: string;
};

function toUser(row: UserRow): User {
  return {
    id: row.user_id,
    preferredLoginName: row.preferred_login_name,
    displayName: row.display_name,
    avatarUrl: row.avatar_url,
    organizationId: row.user_organization_id,
  };
}

/** The names of an entry's scope; for a grant, those of its project and of the organization it is granted to. */
type NamedEntryRow = NamesRow & EntryRow & { roles: AdministratorRole[] };
type NamesRow = {
  named_project_id: string;
  project_name: string;
  project_organization_id: string;
  named_organization_id: string;
  organization_name: string;
};

function toSource(row: NamedEntryRow): Source {
  const { scope, roles } = toEntry(row);
  return { scope: withNames(scope, row), roles };
}

function withNames(scope: Scope, row: NamesRow): NamedScope {
  switch (scope.kind) {
    case "instance":
      return scope;
    case "organization":
      return { ...scope, organization: toOrganization(row) };
    case "project":
      return { ...scope, project: toProject(row) };
    case "projectGrant":
      return { ...scope, project: toProject(row), organization: toOrganization(row) };
  }
}

function toProject(row: NamesRow) {
  return { id: row.named_project_id, name: row.project_name, organizationId: row.project_organization_id };
}

function toOrganization(row: NamesRow) {
  return { id: row.named_organization_id, name: row.organization_name };
}

type AccessRow = NamesRow & { owner_id: string; project_grant_id: string } & (
    | (UserRow & { entries: EntryRow[] })
    | { user_id: null }
  );

function toAccess(row: AccessRow): FoundAccess {
  const isKnown = row.user_id !== null;
  return {
    authorization: {
      userId: row.owner_id,
      project: toProject(row),
      organization: toOrganization(row),
      projectGrantId: row.project_grant_id,
    },
    user: isKnown ? toUser(row) : undefined,
    entries: isKnown ? row.entries.map(toEntry) : [],
  };
}

/**
 * Looks up each scope by its id. With joins instead, the many entries of some callers would make Postgres read every
 * organization, project and grant for every caller.
 */
export const selectUser = (userId: string) =>
  named(
    "find user with entries",
    sql`
  select ${columnsOfUser},
    e.organization_id, e.project_id, e.project_grant_id, e.roles, ${columnsOfNames}
  from users u
  left join administrators e on e.user_id = u.id
  left join lateral (
    select * from project_grants where e.project_grant_id is not null and id = e.project_grant_id offset 0) g on true
  cross join lateral (
    select coalesce(e.project_id, g.project_id) as project_id,
      coalesce(e.organization_id, g.organization_id) as organization_id) ids
  left join lateral (
    select * from projects where ids.project_id is not null and id = ids.project_id offset 0) p on true
  left join lateral (
    select * from organizations where ids.organization_id is not null and id = ids.organization_id offset 0) o on true
  where u.id = ${userId}::text
  order by
    case when e.organization_id is not null then 1 when e.project_id is not null then 2
      when e.project_grant_id is not null then 3 else 0 end,
    coalesce(e.organization_id, e.project_id, e.project_grant_id, '')`,
  );

/** Not prepared, so it is planned for the caller's scopes: there may be thousands. */
export const selectAccess = ({ asker, authorizationId, userId }: AccessQuestion): Sql => sql`
  with asked as materialized (
    select a.user_id as owner_id, a.project_grant_id, ${columnsOfNames}
    from authorizations a
    join projects p on p.id = a.project_id
    join organizations o on o.id = a.organization_id
    where a.id = ${authorizationId}::text and ${isVisible(visibilityOf(asker))}
  )
  select asked.*, ${columnsOfUser},
    ${entriesOf(
      "u.id",
      sql`
      num_nonnulls(a.organization_id, a.project_id, a.project_grant_id) = 0
      or a.organization_id = asked.named_organization_id
      or a.project_id = asked.named_project_id
      or a.project_grant_id = asked.project_grant_id`,
    )} as entries
  from asked
  left join users u on u.id = ${userId}::text and ${mayKnow(asker)}`;

const columnsOfUser = sql`
    u.id as user_id, u.preferred_login_name, u.display_name, u.avatar_url, u.organization_id as user_organization_id`;

const columnsOfNames = sql`
    p.id as named_project_id, p.name as project_name, p.organization_id as project_organization_id,
    o.id as named_organization_id, o.name as organization_name`;
