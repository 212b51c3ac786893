import sql, { raw, type Sql } from "sql-template-tag";
import type { Caller } from "../../authorization/permissions.ts";
import type { CallerStore } from "../../identity/store.ts";
import type { Database } from "../database/database.ts";
import { named } from "../database/prepared.ts";
import { type EntryRow, toEntry } from "../seen/entries.ts";

export function postgresCallers(database: Database): CallerStore {
  return {
    async findByToken(hash, signal) {
      const [row] = await database.query<CallerRow & { token_id: string }>(findCallerByToken(hash), signal);
      return row && { ...toCaller(row), tokenId: row.token_id };
    },
    async findByUserId(userId, signal) {
      const [row] = await database.query<CallerRow>(findCallerByUserId(userId), signal);
      return row && toCaller(row);
    },
  };
}

export type CallerRow = { user_id: string; entries: EntryRow[] };

export function toCaller(row: CallerRow): Caller {
  return { userId: row.user_id, entries: row.entries.map(toEntry) };
}

/** Reads the token and the rights of its user in one round trip, for every request. */
const findCallerByToken = (hash: Buffer) =>
  named(
    "find caller by token",
    sql`
  select t.user_id, t.id as token_id, ${entriesOf("t.user_id")} as entries
  from tokens t
  where t.hash = ${hash} and (t.expiration_date is null or t.expiration_date > now())`,
  );

/** Reads the user and its rights in one round trip, for every request. */
const findCallerByUserId = (userId: string) =>
  named(
    "find caller by user id",
    sql`
  select u.id as user_id, ${entriesOf("u.id")} as entries
  from users u
  where u.id = ${userId}::text`,
  );

/** Selects the user's administrator entries `a` for which the condition is true, as the JSON of entry rows. */
export function entriesOf(userId: "t.user_id" | "u.id", condition = sql`true`): Sql {
  return sql`(
    select coalesce(json_agg(json_build_object(
      'organization_id', a.organization_id, 'project_id', a.project_id,
      'project_grant_id', a.project_grant_id, 'roles', a.roles)), '[]')
    from administrators a
    where a.user_id = ${raw(userId)} and (${condition}))`;
}
