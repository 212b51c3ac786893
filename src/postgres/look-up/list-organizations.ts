import sql, { join } from "sql-template-tag";
import type { Organization } from "../../authorization/authorization.ts";
import type { Visibility } from "../../authorization/permissions.ts";
import type { LookUpQuery, OrganizationFilter } from "../../directory/look-ups.ts";
import { amongMatching } from "../page/page.ts";
import { seenOrganizations } from "../seen/directory.ts";
import { reachEverything } from "../seen/scopes.ts";
import { byName, isBehindName, isNamed, lookUp, type NameList, rowOf } from "./name-list.ts";

export const listOrganizations = lookUp(
  organizationList,
  ({ id, name }: Organization & { key: string }): Organization => ({ id, name }),
);

/** The parts of the statement, also for tests of its plans. */
export function organizationList(visibility: Visibility, query: LookUpQuery<OrganizationFilter>): NameList {
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
