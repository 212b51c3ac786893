import sql, { raw, type Sql } from "sql-template-tag";
import type { User } from "../../authorization/authorization.ts";

/** Null if the user was removed, or must not be shown. */
export function userFields(user: Sql, isShown: Sql, otherwise = sql``): Sql {
  return sql`case when ${user}.id is not null and ${isShown} then
        array[${user}.preferred_login_name, ${user}.display_name, ${user}.avatar_url, ${user}.organization_id]
        ${otherwise} end`;
}

/**
 * The fields of the user of an event `e`. If it was removed since, they are its last ones for those who see the removal,
 * without an organization. Someone who was erased since has no names there.
 */
export function userFieldsOfEvent(user: Sql, isShown: Sql, id: Sql, seesRemoval: Sql): Sql {
  const names = sql`array[
          coalesce(e.before ->> 'preferredLoginName', ''), coalesce(e.before ->> 'displayName', ''),
          coalesce(e.before ->> 'avatarUrl', ''), '']`;
  return userFields(user, isShown, sql`when ${user}.id is null then ${whenRemoved("user", id, names, seesRemoval)}`);
}

/**
 * Selects from the event that removed something after an event `e`; null for those who don't see the removal. If several
 * had the id, it is the first removal since. Clocks can differ, so if all are older, it is the last one.
 *
 * @param selected a value from that event, which is `e` in it
 * @param seesRemoval true for an event `e` of the directory that the caller sees
 */
export function whenRemoved(kind: "organization" | "user" | "project", id: Sql, selected: Sql, seesRemoval: Sql): Sql {
  return sql`(
        select ${selected}
        from (select ${id} as id, e.time) gone cross join lateral (
          select * from kept_directory_events d
          where d.kind = ${raw(`'${kind}'`)} and d.id = gone.id and d.within = '' and d.after is null
          order by d.time < gone.time, case when d.time < gone.time then -d.sequence else d.sequence end
          limit 1) e
        where ${seesRemoval})`;
}

export type UserFields = [preferredLoginName: string, displayName: string, avatarUrl: string, organizationId: string];

/** A removed or hidden user has only its id. */
export function toUser(id: string, fields: UserFields | null): User {
  const [preferredLoginName, displayName, avatarUrl, organizationId] = fields ?? ["", id, "", ""];
  return { id, preferredLoginName, displayName, avatarUrl, organizationId };
}
