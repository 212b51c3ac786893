import sql, { join, raw, type Sql } from "sql-template-tag";
import type { NamedEvent } from "../../authorization/event.ts";
import type { Caller } from "../../authorization/permissions.ts";
import { hiddenTo } from "../seen/places.ts";
import { toUser, type UserFields, userFieldsOfEvent, whenRemoved } from "../seen/user-fields.ts";
import { mayKnow, mayKnowAnyone } from "../seen/users.ts";
import { seenDirectoryEvents } from "./directory-events.ts";

/**
 * Selects the fields that a list shows of events, with their position and the current names that the caller may see
 * today (docs/reference/history.md). The limits tell Postgres that each look-up finds one row, as in
 * src/postgres/list/listed-authorizations.ts.
 *
 * @param page selects the events' sequences as `id`, in order
 */
export function selectListedEvents(caller: Caller, page: Sql): Sql {
  const sequences = sql`select id from (${page}) page`;
  // Postgres expects few elements in an array, and looks up each of them. From a limit, it expects a tenth of the
  // table.
  const { tables, isSeen } = seenDirectoryEvents(caller);
  const user = (as: Sql, isShown: Sql, id: Sql) => userFieldsOfEvent(as, isShown, id, isSeen);
  const lastName = (kind: "project" | "organization", id: Sql) =>
    sql`case when not ${isSame(kind, id)} then ${whenRemoved(kind, id, sql`e.before ->> 'name'`, isSeen)} end`;
  return sql`
    ${tables.length === 0 ? sql`` : sql`with ${join(tables, ", ")}`}
    select
      page.position, e.sequence, e.time, e.type, e.authorization_id as "authorizationId",
      e.project_grant_id as "projectGrantId", e.state, ${raw(roleKeysBefore)} as "roleKeysBefore",
      ${raw(stateBefore)} as "stateBefore", e.expiration_date as "expirationDate",
      ${raw(expirationDateBefore)} as "expirationDateBefore", ${raw(requestId)} as "requestId", e.reason,
      e.actor_id, ${user(sql`actor`, sql`true`, sql`e.actor_id`)} as actor_fields,
      e.user_id, ${user(sql`u`, isKnown(caller, sequences), sql`e.user_id`)} as user_fields,
      e.project_id, coalesce(p.name, ${lastName("project", sql`e.project_id`)}, e.project_id) as project_name,
      coalesce(p.organization_id, '') as project_organization_id,
      e.organization_id, coalesce(o.name, ${lastName("organization", sql`e.organization_id`)}, e.organization_id) as organization_name,
      array_to_json(array(
        select array[h.key, coalesce(r.display_name, h.key), coalesce(r.group_name, '')]
        from unnest(e.role_keys) with ordinality as h (key, position)
        left join lateral (
          select * from project_grant_roles where project_grant_id = g.id and role_key = h.key limit 1) k on true
        left join lateral (
          select * from project_roles where project_id = p.id and key = h.key limit 1) r
          on e.project_grant_id = '' or k.role_key is not null
        order by h.position)) as roles
    from unnest(array(${sequences})) with ordinality as page (sequence, position)
    cross join lateral (select * from events where sequence = page.sequence limit 1) e
    -- What was removed since is another thing today, even if it has the same id.
    left join lateral (
      select * from users where id = e.actor_id and ${isSame("user", sql`e.actor_id`)} limit 1) actor on true
    left join lateral (
      select * from users where id = e.user_id and ${isSame("user", sql`e.user_id`)} limit 1) u on true
    left join lateral (
      select * from project_grants
      where (id, project_id, organization_id) = (e.project_grant_id, e.project_id, e.organization_id)
        and ${isSame("projectGrant", sql`e.project_grant_id`)} limit 1) g on true
    -- The place is another one today if another organization owns the project, or the grant was removed or replaced.
    left join lateral (
      select * from projects
      where id = e.project_id
        and (g.id is not null or (e.project_grant_id = '' and organization_id = e.organization_id))
        and ${isSame("project", sql`e.project_id`)} limit 1) p on true
    left join lateral (
      select * from organizations
      where id = e.organization_id and ${isSame("organization", sql`e.organization_id`)} limit 1) o on true`;
}

/** Whether something has not been removed since an event `e`. */
function isSame(kind: Parameters<typeof hiddenTo>[0], id: Sql): Sql {
  return sql`e.sequence > ${hiddenTo(kind, id)}`;
}

/**
 * True for an event `e` whose user the caller may know of today. Each user is looked up once, however many events it
 * has.
 */
function isKnown(caller: Caller, sequences: Sql): Sql {
  if (mayKnowAnyone(caller)) return sql`true`;
  return sql`e.user_id in (
        select known.id
        from (select distinct user_id as id from events where sequence = any(array(${sequences}))) one
        cross join lateral (select u.id from users u where u.id = one.id and ${mayKnow(caller)} offset 0) known)`;
}

/**
 * The fields of an event `e` from before the change. One directory change can remove an authorization and add another
 * with the same id as a single event. The caller may not know of the previous authorization, so it is not shown.
 */
export const roleKeysBefore = "case when e.type = 'user.grant.added' then '{}' else e.role_keys_before end";
export const stateBefore = "case when e.type <> 'user.grant.added' then e.state_before end";
export const expirationDateBefore = "case when e.type <> 'user.grant.added' then e.expiration_date_before end";
/** Empty for an end. */
export const requestId = "coalesce(e.request_id::text, '')";

export type ListedEventRow = Omit<NamedEvent, "actor" | "user" | "project" | "organization" | "roles"> & {
  /** Null for the command line. */
  actor_id: string | null;
  actor_fields: UserFields | null;
  user_id: string;
  user_fields: UserFields | null;
  project_id: string;
  project_name: string;
  project_organization_id: string;
  organization_id: string;
  organization_name: string;
  /** Sorted by key. */
  roles: [key: string, displayName: string, group: string][];
};

export function toNamedEvent(row: ListedEventRow): NamedEvent {
  return {
    sequence: row.sequence,
    time: row.time,
    type: row.type,
    authorizationId: row.authorizationId,
    projectGrantId: row.projectGrantId,
    state: row.state,
    roleKeysBefore: row.roleKeysBefore,
    stateBefore: row.stateBefore,
    expirationDate: row.expirationDate,
    expirationDateBefore: row.expirationDateBefore,
    requestId: row.requestId,
    reason: row.reason,
    actor: row.actor_id === null ? null : toUser(row.actor_id, row.actor_fields),
    user: toUser(row.user_id, row.user_fields),
    project: { id: row.project_id, name: row.project_name, organizationId: row.project_organization_id },
    organization: { id: row.organization_id, name: row.organization_name },
    roles: row.roles.map(([key, displayName, group]) => ({ key, displayName, group })),
  };
}
