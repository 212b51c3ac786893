import sql, { type Sql } from "sql-template-tag";
import { type Caller, type Visibility, visibilityOf } from "../../authorization/permissions.ts";
import { Refusal } from "../../authorization/refusal.ts";
import type { CheckedRoles, RoleCheck, RoleHolder } from "../../authorization/role-check.ts";
import { leftOut } from "../pool/bounded-result.ts";
import type { Database } from "../pool/database.ts";
import { isInForce } from "../pool/expiry.ts";
import { givenRows } from "../pool/parameter-rows.ts";
import { namedByText, type Statement } from "../pool/prepared.ts";
import { primaryNow } from "../pool/primary-time.ts";
import { idsOf, isReached, isVisible, reachEverything } from "../seen/scopes.ts";

export function postgresRoleCheck(database: Database): RoleCheck {
  return {
    async check(caller, items, most, signal) {
      if (items.length === 0) return [];
      const statement = { ...checkStatement(caller, items, most), mostJson };
      const rows = await database.query<CheckRow>(statement, signal);
      return rows.map(({ held }, index) => {
        if (held === leftOut) throw tooLarge(index);
        return held?.map(([roleKey, organizationId, authorizationId]) => ({
          roleKey,
          organizationId,
          authorizationId,
        }));
      });
    },
    async listKeys(visibility, holder, page, signal) {
      const [row] = await database.query<{ keys: string[] }>(keysStatement(visibility, holder, page), signal);
      return row?.keys ?? [];
    },
  };
}

type CheckRow = { held: [key: string, organizationId: string, authorizationId: string][] | typeof leftOut | null };

/** How large the JSON of all results may be. */
const mostJson = { bytes: 4 * 1_024 * 1_024, besidesFirst: false };

function tooLarge(index: number): Refusal {
  const what = "the results up to this item would be too large";
  const message = `items[${index}]: ${what}; send fewer items, or name an organization`;
  return new Refusal("OUTCOMES_TOO_LARGE", message, { index: String(index), what });
}

function checkStatement(caller: Caller, items: readonly CheckedRoles[], most?: number): Statement {
  const visibility = visibilityOf(caller);
  const rows = items.map(({ userId, projectId, organizationId = any, roleKeys }) => {
    return { user_id: userId, project_id: projectId, organization_id: organizationId, role_keys: roleKeys };
  });
  // The subquery runs once for each item, so it finds its few rows by their user, whatever the statistics say.
  return namedByText(sql`
    select case when ${mayAsk(visibility)} then (
        select coalesce(json_agg(json_build_array(key, organization_id, id) order by key, organization_id), '[]')
        from (
          select r.role_key as key, a.organization_id, a.id
          from ${rolesInForce(visibility)} and r.role_key = any(asked.role_keys)
          limit ${most ?? null}::bigint) held)
      end as held
    from ${givenRows("asked", rows)}
    order by position`);
}

function keysStatement(
  visibility: Visibility,
  { userId, projectId, organizationId = any }: RoleHolder,
  { after, limit }: { readonly after: string; readonly limit: number },
): Statement {
  const asked = givenRows("asked", [{ user_id: userId, project_id: projectId, organization_id: organizationId }]);
  return namedByText(sql`
    select coalesce(json_agg(key order by key), '[]') as keys from (
      select distinct held.key from ${asked} cross join lateral (
        select r.role_key as key from ${rolesInForce(visibility)} and r.role_key > ${after}::text offset 0) held
      order by held.key
      limit ${limit}::bigint) keys`);
}

/** Stands for any organization: no id is empty. */
const any = "";

/**
 * The roles `r` of the visible and active authorizations `a` that are `asked` for, with a condition to add to.
 */
function rolesInForce(visibility: Visibility): Sql {
  return sql`authorizations a join authorization_roles r on r.authorization_id = a.id
          where a.user_id = asked.user_id and a.project_id = asked.project_id
            and (asked.organization_id = ${any}::text or a.organization_id = asked.organization_id)
            and ${isInForce(sql`a`, primaryNow)} and ${isVisible(visibility)}`;
}

/**
 * True if the caller may ask about the user in the place, or in any place of the project. It is the same whether there is
 * an authorization or not. `holdsPermission` in src/authorization/permissions.ts decides the same for one place, and must
 * agree.
 */
function mayAsk({ userId, scopes }: Visibility): Sql {
  if (reachEverything(scopes)) return sql`true`;
  const isOwn = sql`asked.user_id = ${userId}::text`;
  if (scopes.length === 0) return isOwn;
  const organizations = idsOf("organization", scopes);
  const isThere = (of: Sql) => sql`asked.organization_id in (${any}::text, ${of})`;
  // Entries on an organization reach each project in it, also those that don't exist.
  return sql`(${isOwn}
      or asked.organization_id = any(${organizations}::text[])
      or (asked.organization_id = ${any}::text and cardinality(${organizations}::text[]) > 0)
      or exists (
        select from projects p
        where p.id = asked.project_id and ${isThere(sql`p.organization_id`)} and ${isReached("projects", sql`p`, scopes)})
      or exists (
        select from project_grants g
        where g.project_id = asked.project_id and ${isThere(sql`g.organization_id`)}
          and ${isReached("project_grants", sql`g`, scopes)}))`;
}
