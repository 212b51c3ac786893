import sql, { type Sql } from "sql-template-tag";
import type { User } from "../../authorization/authorization.ts";

/** Null if the user was removed, or must not be shown. */
export function userFields(user: Sql, isShown: Sql, whenRemoved = sql``): Sql {
  return sql`case when ${user}.id is not null and ${isShown} then
        array[${user}.preferred_login_name, ${user}.display_name, ${user}.avatar_url, ${user}.organization_id]
        ${whenRemoved} end`;
}

/** The fields of the user of an event, which has no names at all if it was removed and erased since. */
export function userFieldsOfEvent(user: Sql, isShown: Sql, id: Sql): Sql {
  return userFields(
    user,
    isShown,
    sql`when ${user}.id is null and (select r.is_erased from removed_things r where r.kind = 'user' and r.id = ${id}) then
        array['', '', '', '']`,
  );
}

export type UserFields = [preferredLoginName: string, displayName: string, avatarUrl: string, organizationId: string];

/** A removed or hidden user has only its id. */
export function toUser(id: string, fields: UserFields | null): User {
  const [preferredLoginName, displayName, avatarUrl, organizationId] = fields ?? ["", id, "", ""];
  return { id, preferredLoginName, displayName, avatarUrl, organizationId };
}
