import sql, { join, type Sql } from "sql-template-tag";
import { type Visibility, visibilityOf } from "../../authorization/permissions.ts";
import type { AdministratorPosition, AdministratorQuery, DirectoryStore } from "../../directory/store.ts";
import { amongMatching, isBehindPage, orderBy, pageStatement, readPage } from "../page/page.ts";
import type { Database } from "../pool/database.ts";
import { textOfScope } from "../seen/entries.ts";
import {
  columnsOfNames,
  columnsOfUser,
  isSeenEntry,
  type NamedEntryRow,
  namesOfEntry,
  toNamedEntry,
  type UserRow,
} from "../seen/named-entries.ts";
import { reachEverything } from "../seen/scopes.ts";

type Row = UserRow & NamedEntryRow;

export const listAdministrators =
  (database: Database): DirectoryStore["listAdministrators"] =>
  (caller, query, signal) => {
    const statement = administratorStatement(visibilityOf(caller), query);
    const toPosition = ({ user_id: userId, scope }: Row): AdministratorPosition => {
      return { userId, kind: Number(scope[0]), scopeId: scope.slice(1) };
    };
    return readPage(database, statement, { toItem: toNamedEntry, toPosition }, signal);
  };

/** Only the statement, for tests of its plans. */
export function administratorStatement(visibility: Visibility, query: AdministratorQuery): Sql {
  const { ascending, after } = query;
  const order = orderBy({ key: sql`key`, id: sql`id` }, ascending);
  const isEverything = reachEverything(visibility.scopes);
  const filters = filtersOf(query, isEverything);
  const matching = sql`
      select a.user_id as key, a.scope as id from administrators a
      where ${join([...filters, isSeenEntry(visibility, sql`a`)], " and ")}`;
  const end = after && { key: sql`${after.userId}::text`, id: sql`${after.kind + after.scopeId}::text` };
  const isBehind = isBehindPage({ key: sql`key`, id: sql`id` }, { ascending, after: end });
  const listed = (page: Sql) => sql`
    select page.position, e.scope, e.roles,
      ${columnsOfUser}, ${columnsOfNames}
    from (select *, row_number() over (order by ${order}) as position from (${page}) page) page
    cross join lateral (select * from administrators where user_id = page.key and scope = page.id limit 1) e
    cross join lateral (select * from users where id = e.user_id limit 1) u
    ${namesOfEntry}`;
  return pageStatement(
    { ...amongMatching(matching, isEverything && filters.length === 0, isBehind), order, listed },
    query,
  );
}

/** There is an index of roles, but for a common one it leads to far more entries than most callers see. */
function filtersOf({ userId, scope, role }: AdministratorQuery, isEverything: boolean): Sql[] {
  const filters: Sql[] = [];
  if (userId !== undefined) filters.push(sql`a.user_id = ${userId}::text`);
  if (scope !== undefined) filters.push(sql`a.scope = ${textOfScope(scope)}::text`);
  if (role !== undefined)
    filters.push(isEverything ? sql`a.roles @> array[${role}::text]` : sql`${role}::text = any(a.roles)`);
  return filters;
}
