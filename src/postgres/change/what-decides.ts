import sql, { raw, type Sql } from "sql-template-tag";
import type { Ending } from "../../authorization/authorization.ts";
import { toRfc3339 } from "../../authorization/instant.ts";
import type { Visibility } from "../../authorization/permissions.ts";
import type { Assignment, Holding } from "../../authorization/store.ts";
import { isDue } from "../pool/expiry.ts";
import { givenIds, givenRows } from "../pool/parameter-rows.ts";
import { namedByText, namedFor } from "../pool/prepared.ts";
import { primaryNow } from "../pool/primary-time.ts";
import { isSameCombination } from "../pool/same-combination.ts";
import { hiddenTo } from "../seen/places.ts";
import { isVisible } from "../seen/scopes.ts";

// What decides about changes. Each statement reads one snapshot, and locks nothing.

/** Only what the caller sees, so no one can block authorizations that are none of their business. */
export const findVisible = (visibility: Visibility, ids: readonly string[]) =>
  namedByText(sql`
  select ${columnsOfFound}
  from ${givenIds("asked", ids)} join authorizations a on a.id = asked.id
  where ${isVisible(visibility)}`);

/** The same, with the roles compared. */
export const compareVisible = (visibility: Visibility, wanted: readonly Holding[]) =>
  namedByText(sql`
  select ${columnsOfFound},
    ${sortedKeys(sql`asked.keys`)} = ${heldKeys(sql`a.id`)}
      and a.expiration_date is not distinct from ${endAfter(sql`asked.ending`, sql`a.expiration_date`)} as "isSame",
    ${isFuture} as "isFuture",
    ${unassignable(sql`a.project_id`, sql`a.project_grant_id`)} as unassignable
  from ${givenRows(
    "asked",
    wanted.map(({ id, roleKeys, ending }) => ({ id, keys: roleKeys, ending: textOfEnding(ending) })),
  )} join authorizations a on a.id = asked.id
  where ${isVisible(visibility)}`);

/** A wanted end as a column `ending`, empty if none is given. */
export function textOfEnding(ending: Ending): string {
  return typeof ending === "bigint" ? toRfc3339(ending) : (ending ?? "");
}

/** The end that follows from a wanted one. */
export function endAfter(ending: Sql, before: Sql): Sql {
  return sql`case when ${ending} = '' then ${before} else nullif(${ending}::timestamptz, 'infinity') end`;
}

const isFuture = sql`coalesce(nullif(asked.ending, '')::timestamptz > ${primaryNow}, true)`;

/** Every update of a row writes the transaction to xmin. */
const columnsOfFound = sql`
    a.id, a.project_id as "projectId", a.organization_id as "organizationId", a.project_grant_id as "projectGrantId",
    a.state, a.change_date as "changeDate", a.xmin::text as version, a.expired,
    coalesce(a.expiration_date <= ${primaryNow}, false) as ended, ${isDue(sql`a`, primaryNow)} as "isDue"`;

/** The offsets have each row looked up. Otherwise Postgres would read whole tables for many rows, to look them up by a hash. */
export const prepare = (assignments: readonly Assignment[]) =>
  namedFor(
    assignments,
    "prepare assignments",
    sql`
  select
    asked.id, asked.project_id as "projectId", asked.organization_id as "organizationId",
    case when g.id is not null or p.organization_id = asked.organization_id then coalesce(g.id, '') end
      as "projectGrantId",
    exists (select from users u where u.id = asked.user_id offset 0) as "hasUser",
    exists (select from organizations o where o.id = asked.organization_id offset 0) as "hasOrganization",
    ${unassignable(sql`p.id`, sql`coalesce(g.id, '')`)} as unassignable, ${isFuture} as "isFuture",
    (select a.id from authorizations a where ${raw(isSameCombination("a", "asked"))}) as "existingId"
  from ${givenRows(
    "asked",
    assignments.map(({ id, userId, projectId, organizationId, roleKeys, ending }) => ({
      ...{ id, user_id: userId, project_id: projectId, organization_id: organizationId, keys: roleKeys },
      ending: textOfEnding(ending),
    })),
  )}
  left join projects p on p.id = asked.project_id
  left join project_grants g on g.project_id = asked.project_id and g.organization_id = asked.organization_id`,
  );

/** In a project, all of its roles can be assigned; with a grant, only the roles in it. */
function unassignable(projectId: Sql, projectGrantId: Sql): Sql {
  return sql`array(
      select wanted.key from unnest(asked.keys) as wanted (key)
      where case when ${projectGrantId} = ''
        then not exists (select from project_roles r where r.project_id = ${projectId} and r.key = wanted.key offset 0)
        else not exists (
          select from project_grant_roles r
          where r.project_grant_id = ${projectGrantId} and r.role_key = wanted.key offset 0) end)`;
}

/**
 * Where they were, in terms of today's directory. An organization, a project or a grant with the same id may now be
 * another one, whose administrators have nothing to do with the removed authorization. Then only wider scopes apply. `events` in
 * src/postgres/seen/places.ts decides the same for all events, and must agree.
 */
export const findLastRemovals = (ids: readonly string[]) =>
  namedFor(
    ids,
    "find last removals",
    sql`
  select e.authorization_id as id, e.time as "removalDate", coalesce(g.id, '') as "projectGrantId",
    case when e.sequence > ${hiddenTo("organization", sql`e.organization_id`)} then e.organization_id else '' end
      as "organizationId",
    case when g.id is not null or p.organization_id = e.organization_id then e.project_id else '' end as "projectId"
  from ${givenIds("asked", ids)}
  cross join lateral (
    select * from kept_events
    where authorization_id = asked.id and type in ('user.grant.removed', 'user.grant.cascade.removed')
    order by sequence desc
    limit 1) e
  left join projects p on p.id = e.project_id and e.sequence > ${hiddenTo("project", sql`e.project_id`)}
  left join project_grants g
    on g.id = e.project_grant_id and g.project_id = e.project_id and g.organization_id = e.organization_id
      and e.sequence > ${hiddenTo("projectGrant", sql`e.project_grant_id`)}`,
  );

export function sortedKeys(keys: Sql): Sql {
  return sql`array(select key from unnest(${keys}) as key order by key collate "C")`;
}

export function heldKeys(id: Sql): Sql {
  return sql`array(
    select h.role_key::text from authorization_roles h where h.authorization_id = ${id} order by h.role_key)`;
}
