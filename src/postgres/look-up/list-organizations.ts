import sql, { join, type Sql } from "sql-template-tag";
import type { Visibility } from "../../authorization/permissions.ts";
import type { FoundOrganization, LookUpPage, LookUpQuery, OrganizationFilter } from "../../directory/look-ups.ts";
import type { Database } from "../database.ts";
import { textMatches } from "../list/filter-kinds.ts";
import { scopeIds } from "../seen/scope-ids.ts";
import { byName, countOf, isBehindName, type NameList, readNameList, rowOf } from "./name-list.ts";

type Query = LookUpQuery<OrganizationFilter>;
type Row = FoundOrganization & { key: string };

export function listOrganizations(
  database: Database,
  visibility: Visibility,
  query: Query,
  signal: AbortSignal,
): Promise<LookUpPage<FoundOrganization>> {
  const toOrganization = ({ id, name }: Row) => ({ id, name });
  return readNameList(database, organizationList(visibility, query), query, toOrganization, signal);
}

/** What is read, for tests of its plans. */
export function organizationList(visibility: Visibility, query: Query): NameList {
  const isEverything = scopeIds(visibility.scopes).instance;
  const conditions = [sql`true`, ...query.filters.map(matches)];
  if (!isEverything) conditions.push(sql`o.id = any(array(select id from seen))`);
  // All organizations are read in the order of the index, anything less as a whole.
  const how = isEverything && query.filters.length === 0 ? sql`not materialized` : sql`materialized`;
  return {
    tables: [
      ...(isEverything ? [] : [sql`seen as materialized (${seenOrganizations(visibility)})`]),
      sql`matching as ${how} (
      select fold_case(o.name) as key, o.id from organizations o where ${join(conditions, " and ")})`,
      sql`candidates as (select key, id from matching where ${isBehindName(query, sql`key`, sql`id`)})`,
    ],
    total: countOf(sql`matching`),
    order: byName,
    listed: sql`
      select page.position, page.key, o.id, o.name from page cross join lateral (${rowOf(sql`organizations`)}) o`,
  };
}

/**
 * The organizations of all scopes, and those of own authorizations. Any other authorization the caller sees is in the
 * organization of a scope.
 */
function seenOrganizations({ userId, scopes }: Visibility): Sql {
  const { organizations, projects, grants } = scopeIds(scopes);
  return sql`
      select id from organizations where id = any(${organizations}::text[])
      union select organization_id from projects where id = any(${projects}::text[])
      union select organization_id from project_grants where id = any(${grants}::text[])
      union select organization_id from authorizations where user_id = ${userId}::text`;
}

function matches(filter: OrganizationFilter): Sql {
  return filter.kind === "ids" ? sql`o.id = any(${filter.ids}::text[])` : textMatches(sql`o.name`, filter.match);
}
