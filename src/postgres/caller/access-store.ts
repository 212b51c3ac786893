import sql, { type Sql } from "sql-template-tag";
import type { AccessQuestion, AccessStore, FoundAccess } from "../../authorization/access-store.ts";
import { visibilityOf } from "../../authorization/permissions.ts";
import type { Database } from "../pool/database.ts";
import { named } from "../pool/prepared.ts";
import { type EntryRow, toEntry } from "../seen/entries.ts";
import {
  columnsOfNames,
  columnsOfUser,
  type NamedEntryRow,
  type NamesRow,
  namesOfEntry,
  toOrganization,
  toProject,
  toSource,
  toUser,
  type UserRow,
} from "../seen/named-entries.ts";
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

const selectUser = (userId: string) =>
  named(
    "find user with entries",
    sql`
  select ${columnsOfUser}, e.scope, e.roles, ${columnsOfNames}
  from users u
  left join administrators e on e.user_id = u.id
  ${namesOfEntry}
  where u.id = ${userId}::text
  order by e.scope`,
  );

/** Not prepared, so it is planned for the number of the caller's scopes. */
const selectAccess = ({ asker, authorizationId, userId }: AccessQuestion): Sql => sql`
  with asked as materialized (
    select a.user_id as owner_id, a.project_grant_id, ${columnsOfNames}
    from authorizations a
    join projects p on p.id = a.project_id
    join organizations o on o.id = a.organization_id
    where a.id = ${authorizationId}::text and ${isVisible(visibilityOf(asker))}
  )
  select asked.*, ${columnsOfUser}, ${entriesOf("u.id")} as entries
  from asked
  left join users u on u.id = ${userId}::text and ${mayKnow(asker)}`;
