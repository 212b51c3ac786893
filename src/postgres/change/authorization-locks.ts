import sql, { raw, type Sql } from "sql-template-tag";
import type { Visibility } from "../../authorization/permissions.ts";
import { givenIds, givenRows, isAmong } from "../pool/parameter-rows.ts";
import { namedByText, namedFor } from "../pool/prepared.ts";
import { isVisible } from "../seen/scopes.ts";
import { gateOf, projectGates } from "./project-gates.ts";

// The locks of changes, in the order described at AuthorizationChange.

/** The first lock of every change to existing authorizations. Returns those that the caller saw. */
export const lockProjectsOf = (visibility: Visibility, ids: readonly string[]) =>
  namedByText(
    lockProjectsNamedBy(
      sql`
      select a.id, a.project_id
      from authorizations a
      where ${isAmong(sql`a.id`, ids)} and ${isVisible(visibility)}`,
      ids.length,
    ),
  );

/** Locks only what the caller sees, so no one can block authorizations that are none of their business. */
export const lockVisible = (visibility: Visibility, ids: readonly string[]) =>
  namedByText(sql`
  select a.id, a.user_id, a.project_id, a.organization_id, a.project_grant_id, a.state, a.change_date
  from authorizations a
  where ${isAmong(sql`a.id`, ids)} and ${isVisible(visibility)}
  order by a.id
  for update`);

export const lockProjects = (ids: readonly string[]) =>
  namedFor(
    ids,
    "lock projects",
    lockProjectsNamedBy(sql`select id, id as project_id from ${givenIds("asked", ids)}`, ids.length),
  );

export const lockParties = (userIds: readonly string[], organizationIds: readonly string[]) =>
  namedByText(sql`
  with found as (
    select id from users where ${isAmong(sql`id`, userIds)} order by id for key share
  )
  select id, true as is_user from found
  union all
  select id, false from organizations where ${isAmong(sql`id`, organizationIds)}`);

/** @param asked the keys to lock by project id; no list is empty */
export const lockProjectRoles = (asked: ReadonlyMap<string, ReadonlySet<string>>) =>
  namedFor(
    { length: asked.size },
    "lock project roles",
    sql`
  select r.project_id as place_id, r.key as role_key
  from ${keysOfPlaces(asked)} join project_roles r on r.project_id = asked.place_id and r.key = any(asked.keys)
  order by r.project_id, r.key
  for key share of r`,
  );

/** @param asked the keys to lock by project grant id; no list is empty */
export const lockGrantRoles = (asked: ReadonlyMap<string, ReadonlySet<string>>) =>
  namedFor(
    { length: asked.size },
    "lock grant roles",
    sql`
  select r.project_grant_id as place_id, r.role_key
  from ${keysOfPlaces(asked)}
  join project_grant_roles r on r.project_grant_id = asked.place_id and r.role_key = any(asked.keys)
  order by r.project_grant_id, r.role_key
  for key share of r`,
  );

function keysOfPlaces(asked: ReadonlyMap<string, ReadonlySet<string>>): Sql {
  return givenRows(
    "asked",
    Array.from(asked, ([id, keys]) => ({ place_id: id, keys: [...keys] })),
  );
}

/** Locks all gates first, then the rows of all projects. A single one needs no sorting. */
function lockProjectsNamedBy(selectIds: Sql, count: number): Sql {
  const gate = raw(gateOf("project_id"));
  const enter = sql`pg_advisory_xact_lock_shared(${raw(String(projectGates))}, gate)`;
  if (count === 1) {
    return sql`
  with named as (${selectIds}), entered as materialized (
    select id, project_id, ${enter} from (select *, ${gate} as gate from named) one
  )
  select e.id from entered e cross join lateral (select from projects p where p.id = e.project_id for key share) p`;
  }
  return sql`
  with named as materialized (${selectIds}), entered as materialized (
    select count(${enter}) as gates from (select distinct ${gate} as gate from named order by gate) ordered
  ), locked as materialized (
    select p.id
    from entered e cross join projects p
    where e.gates >= 0 and p.id in (select project_id from named)
    order by p.id
    for key share of p
  )
  select id from named where (select count(*) from locked) >= 0`;
}
