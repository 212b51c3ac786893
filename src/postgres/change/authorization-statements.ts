import sql, { raw, type Sql } from "sql-template-tag";
import type { Actor } from "../../authorization/actor.ts";
import type { FoundAuthorization, NewAuthorization, State } from "../../authorization/authorization.ts";
import type { Holding } from "../../authorization/store.ts";
import { callerHolds } from "../caller/proving.ts";
import { acting } from "../pool/acting.ts";
import { nextDate } from "../pool/next-date.ts";
import { type GivenRow, givenRows, keptFor } from "../pool/parameter-rows.ts";
import { namedFor } from "../pool/prepared.ts";
import { gateOf, projectGates } from "./project-gates.ts";
import { endAfter, heldKeys, sortedKeys, textOfEnding } from "./what-decides.ts";

// Each change is one statement, which takes its locks in the order described at AuthorizationChange. It waits after it has
// taken its snapshot, so the snapshot may be old. These keep it right:
// - Postgres compares the version of a locked row after it has waited. What belongs to a row of the same version, such as
//   its roles, hasn't changed since.
// - Foreign and unique keys are checked by what is committed, whatever the snapshot.
// - The name of a user is read again once the user is locked.
// - The moment of the change is taken once all locks are held. An authorization that was found before its end must not
//   have reached it by then.

/** Locks found authorizations as the statements of changes do, but in whatever version they are. */
export const lock = (found: readonly FoundAuthorization[]) =>
  namedFor(found, "lock authorizations", sql`${locked(found.map(toRow), sql`true`)} select from locked`);

export const setState = (found: readonly FoundAuthorization[], state: State, actor: Actor) =>
  namedFor(
    found,
    `set ${state}`,
    sql`
  ${lockedIfSame(found.map(toRow))}, changed as (
    update authorizations a
    set state = ${state}::authorization_state, expired = false, change_date = ${nextChangeDate}
    from locked
    where a.id = locked.id and ${areLockedAsFound()}
    returning a.*, locked.position, locked.state as state_before, ${heldKeys(sql`a.id`)} as keys
  ), ${dated}
  ${appendEvents(
    state === "active" ? "user.grant.reactivated" : "user.grant.deactivated",
    sql`changed a`,
    actor,
    sql`keys`,
    { roleKeys: sql`keys`, state: sql`state_before`, expirationDate: sql`a.expiration_date` },
  )}`,
  );

/**
 * Deactivates those of a user that meet a condition, and counts them. They must be locked, and their ends that have passed by
 * then must be written.
 */
export const deactivateAll = (userId: string, condition: Sql, moment: Sql, actor: Actor) => sql`
  with moment (now) as (select ${moment}), changed as (
    update authorizations a
    set state = 'inactive', expired = false, change_date = ${nextChangeDate}
    where a.user_id = ${userId}::text and a.state = 'active' and ${condition}
    returning a.*, a.id as position, ${heldKeys(sql`a.id`)} as keys
  ), ${dated}, appended as (${appendEvents("user.grant.deactivated", sql`changed a`, actor, sql`keys`, {
    roleKeys: sql`keys`,
    state: sql`'active'::authorization_state`,
    expirationDate: sql`a.expiration_date`,
  })})
  select count(*) from appended`;

/** With another end, an expired authorization is active again. */
export const replace = (wanted: readonly (FoundAuthorization & Holding)[], actor: Actor) =>
  namedFor(
    wanted,
    "replace roles",
    sql`
  ${lockedIfSame(
    wanted.map((one) => ({ ...toRow(one), keys: one.roleKeys, ending: textOfEnding(one.ending) })),
    sql`, wanted.keys, wanted.ending`,
  )}, changed as (
    update authorizations a
    set change_date = ${nextChangeDate}, expiration_date = ${endAfter(sql`locked.ending`, sql`a.expiration_date`)},
      state = case when a.expired and locked.ending <> '' then 'active' else a.state end,
      expired = a.expired and locked.ending = ''
    from locked
    where a.id = locked.id and ${areLockedAsFound()} and not exists (select from locked where ${hasPassed(sql`ending`)})
    returning a.*, locked.keys, locked.position, locked.state as state_before,
      locked.expiration_date as expiration_date_before, ${heldKeys(sql`a.id`)} as held
  ), dropped as (
    delete from authorization_roles h using changed a
    where h.authorization_id = a.id and h.role_key <> all (a.keys)
  ), added as (
    insert into authorization_roles (authorization_id, project_id, project_grant_id, role_key)
    select a.id, a.project_id, a.project_grant_id, key
    from changed a cross join unnest(a.keys) as key
    where key <> all (a.held)
  ), ${dated}
  ${appendEvents("user.grant.changed", sql`changed a`, actor, sortedKeys(sql`keys`), {
    roleKeys: sql`held`,
    state: sql`state_before`,
    expirationDate: sql`expiration_date_before`,
  })}`,
  );

export const remove = (found: readonly FoundAuthorization[], actor: Actor) =>
  namedFor(
    found,
    "remove authorizations",
    sql`
  ${lockedIfSame(found.map(toRow))}, removed as (
    delete from authorizations a using locked where a.id = locked.id and ${areLockedAsFound()}
    returning a.*, locked.position
  ), undated as (
    delete from authorization_change_dates c using removed a where c.id = a.id
  )
  insert into events (
    authorization_id, type, time, actor_id, request_id, reason, user_id, project_id, organization_id, project_grant_id,
    role_keys, role_keys_before, state_before, creation_date_before, expiration_date_before)
  select
    a.id, 'user.grant.removed', ${nextChangeDate}, ${acting(actor)}, a.user_id, a.project_id, a.organization_id,
    a.project_grant_id, '{}', ${heldKeys(sql`a.id`)}, a.state, a.creation_date, a.expiration_date
  from removed a
  order by position
  returning authorization_id as id, time`,
  );

/**
 * Waits for racing creates of the same combination, and fails if another one was first. It works in the order of the
 * combinations, so no two transactions wait for each other. A trigger takes the name of the user, once the
 * user is locked (0003_authorizations): a lock that waits for a renamed user still shows the old name.
 */
export const create = (authorizations: readonly NewAuthorization[], actor: Actor) =>
  namedFor(
    authorizations,
    "create authorizations",
    sql`
  ${entered(authorizations.map(rowOfNew))}, parties as materialized (
    select u.id, u.organization_id
    from users u
    where (select count(*) from entered) >= 0 and u.id in (select user_id from wanted)
    order by u.id
    for key share
  ), ${momentAfter("parties")}, created as (
    insert into authorizations (
      id, user_id, user_organization_id, project_id, organization_id, project_grant_id, creation_date, change_date,
      expiration_date)
    select
      wanted.id, u.id, u.organization_id, project_id, wanted.organization_id, project_grant_id, now, now,
      ${endAfter(sql`wanted.ending`, sql`null`)}
    from wanted join parties u on u.id = wanted.user_id cross join moment
    where ${areAll("parties", sql`count(distinct user_id)`)}
      and not exists (select from wanted where ${hasPassed(sql`ending`)})
    order by user_id collate "C", project_id collate "C", wanted.organization_id collate "C"
    returning *
  ), roles as (
    insert into authorization_roles (authorization_id, project_id, project_grant_id, role_key)
    select a.id, a.project_id, a.project_grant_id, key
    from created a join wanted using (id) cross join unnest(wanted.keys) as key
  ), dated as (
    insert into authorization_change_dates (id, organization_id, project_id, change_date)
    select id, organization_id, project_id, change_date from created
  )
  ${appendEvents("user.grant.added", sql`created a join wanted on wanted.id = a.id`, actor, sortedKeys(sql`keys`))}`,
  );

/** Begins a statement with the `wanted` rows, and `entered`: all gates of their projects, then the projects. */
function entered(rows: readonly GivenRow[]): Sql {
  return sql`
  with wanted as ${keptFor(rows)} (select * from ${givenRows("given", rows)}), gates as materialized (
    select count(pg_advisory_xact_lock_shared(${raw(String(projectGates))}, gate)) as count
    from (select distinct ${raw(gateOf("project_id"))} as gate from wanted order by gate) ordered
  ), entered as materialized (
    select p.id
    from gates cross join projects p
    where gates.count >= 0 and p.id in (select project_id from wanted)
    order by p.id
    for key share of p
  )`;
}

/** Then locks the authorizations that meet a condition. */
function locked(rows: readonly GivenRow[], condition: Sql, columns = sql``): Sql {
  return sql`${entered(rows)}, locked as materialized (
    select a.id, a.state, a.expiration_date, wanted.position, wanted.ended::boolean as ended${columns}
    from wanted join authorizations a on a.id = wanted.id
    where (select count(*) from entered) >= 0 and ${condition}
    order by a.id
    for update of a
  ), ${momentAfter("locked")}`;
}

function lockedIfSame(rows: readonly GivenRow[], columns?: Sql): Sql {
  return locked(rows, sql`a.xmin = wanted.version::xid`, columns);
}

/** All or none are changed, and for a caller who still has the rights by which the change was judged. */
function areAll(found: "locked" | "parties", wanted = sql`count(*)`): Sql {
  return sql`(select count(*) from ${raw(found)}) = (select ${wanted} from wanted) and ${callerHolds(sql`moment`)}`;
}

/** The same, and none has reached its end since it was found. */
function areLockedAsFound(): Sql {
  return sql`${areAll("locked")} and not exists (
      select from locked where coalesce(expiration_date <= (select now from moment), false) <> ended)`;
}

/** The moment of the change, taken once everything is locked. */
function momentAfter(found: "locked" | "parties"): Sql {
  return sql`moment as materialized (select clock_timestamp() as now from (select count(*) from ${raw(found)}) locks)`;
}

/** True for a wanted end that is not in the future. */
function hasPassed(ending: Sql): Sql {
  return sql`nullif(${ending}, '')::timestamptz <= (select now from moment)`;
}

const nextChangeDate = raw(nextDate("(select now from moment)", "a.change_date"));

const dated = sql`dated as (
    update authorization_change_dates c set change_date = a.change_date from changed a where c.id = a.id
  )`;

type Before = { readonly roleKeys: Sql; readonly state: Sql; readonly expirationDate: Sql };

/** Appends the events of a change, with the authorization before and after it. Returns when each was changed. */
function appendEvents(type: string, changed: Sql, actor: Actor, roleKeys: Sql, before?: Before): Sql {
  const creationDateBefore = before === undefined ? sql`null` : sql`a.creation_date`;
  const were = before ?? { roleKeys: sql`'{}'`, state: sql`null`, expirationDate: sql`null` };
  return sql`
  insert into events (
    authorization_id, type, time, actor_id, request_id, reason, user_id, project_id, organization_id, project_grant_id,
    role_keys, state, creation_date, expiration_date,
    role_keys_before, state_before, creation_date_before, expiration_date_before)
  select
    a.id, ${raw(`'${type}'`)}, a.change_date, ${acting(actor)}, a.user_id, a.project_id, a.organization_id,
    a.project_grant_id, ${roleKeys}, a.state, a.creation_date, a.expiration_date,
    ${were.roleKeys}, ${were.state}, ${creationDateBefore}, ${were.expirationDate}
  from ${changed}
  order by position
  returning authorization_id as id, time`;
}

function toRow({ id, version, projectId, ended }: FoundAuthorization) {
  return { id, version, project_id: projectId, ended: String(ended) };
}

function rowOfNew({ id, userId, place, roleKeys, ending }: NewAuthorization) {
  return {
    id,
    user_id: userId,
    project_id: place.projectId,
    organization_id: place.organizationId,
    project_grant_id: place.projectGrantId,
    keys: roleKeys,
    ending: textOfEnding(ending),
  };
}
