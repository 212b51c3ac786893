import sql, { join } from "sql-template-tag";
import type { Organization } from "../../authorization/authorization.ts";
import type { Visibility } from "../../authorization/permissions.ts";
import type { LookUpPage, LookUpQuery, OrganizationFilter } from "../../directory/look-ups.ts";
import type { Database } from "../pool/database.ts";
import { seenOrganizations } from "../seen/directory.ts";
import { reachEverything } from "../seen/scopes.ts";
import { amongMatching, byName, isBehindName, isNamed, type NameList, readNameList, rowOf } from "./name-list.ts";

type Query = LookUpQuery<OrganizationFilter>;
type Row = Organization & { key: string };

export function listOrganizations(
  database: Database,
  visibility: Visibility,
  query: Query,
  signal: AbortSignal,
): Promise<LookUpPage<Organization>> {
  const toOrganization = ({ id, name }: Row) => ({ id, name });
  return readNameList(database, (part) => organizationList(visibility, part), query, toOrganization, signal);
}

/** The parts of the statement, also for tests of its plans. */
export function organizationList(visibility: Visibility, query: Query): NameList {
  const isEverything = reachEverything(visibility.scopes);
  const conditions = [sql`true`, ...query.filters.map((filter) => isNamed(sql`o`, filter))];
  if (!isEverything) conditions.push(sql`o.id = any(array(select id from seen))`);
  const matching = sql`
      select fold_case(o.name) as key, o.id from organizations o where ${join(conditions, " and ")}`;
  const found = amongMatching(matching, isEverything && query.filters.length === 0, isBehindName(query));
  return {
    ...found,
    tables: [...(isEverything ? [] : seenOrganizations(visibility)), ...found.tables],
    order: byName,
    listed: sql`
      select page.position, page.key, o.id, o.name from page cross join lateral (${rowOf(sql`organizations`)}) o`,
  };
}
