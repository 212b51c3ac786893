import { randomUUID } from "node:crypto";
import sql, { raw, type Sql } from "sql-template-tag";
import type { Instant } from "../../authorization/authorization.ts";
import type { Caller } from "../../authorization/permissions.ts";
import type { CallerStore, TokenRecord, TokenStore } from "../../identity/store.ts";
import type { Database } from "../database/database.ts";
import { sqlState } from "../database/failures.ts";
import { named } from "../database/prepared.ts";
import { type EntryRow, toEntry } from "../seen/entries.ts";

export function postgresCallers(database: Database): CallerStore {
  return {
    async findByToken(hash, signal) {
      const [row] = await database.query<CallerRow>(findCallerByToken(hash), signal);
      return row && toCaller(row);
    },
    async findByUserId(userId, signal) {
      const [row] = await database.query<CallerRow>(findCallerByUserId(userId), signal);
      return row && toCaller(row);
    },
  };
}

/** For commands, which have no deadlines. */
export function postgresTokens(database: Database): TokenStore {
  const forever = new AbortController().signal;
  return {
    async create({ userId, hash, expiresInSeconds }) {
      const id = randomUUID();
      try {
        await database.transaction(forever, (connection) =>
          connection.query(insertToken(id, userId, hash, expiresInSeconds)),
        );
        return id;
      } catch (error) {
        if (sqlState(error) === "23503") return undefined;
        throw error;
      }
    },
    async list(userId) {
      const rows = await database.query<TokenRow>(selectTokens(userId), forever);
      return rows.map(toTokenRecord);
    },
    async revoke(id) {
      const rows = await database.transaction(forever, (connection) => connection.query(deleteToken(id)));
      return rows.length > 0;
    },
  };
}

export type CallerRow = { user_id: string; entries: EntryRow[] };

export function toCaller(row: CallerRow): Caller {
  return { userId: row.user_id, entries: row.entries.map(toEntry) };
}

type TokenRow = { id: string; user_id: string; creation_date: Instant; expiration_date: Instant | null };

function toTokenRecord(row: TokenRow): TokenRecord {
  return {
    id: row.id,
    userId: row.user_id,
    creationDate: row.creation_date,
    expirationDate: row.expiration_date ?? undefined,
  };
}

/** Reads the token and the rights of its user in one round trip, for every request. */
const findCallerByToken = (hash: Buffer) =>
  named(
    "find caller by token",
    sql`
  select t.user_id, ${entriesOf("t.user_id")} as entries
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

export const insertToken = (id: string, userId: string, hash: Buffer, expiresInSeconds: number | undefined) => sql`
  insert into tokens (id, user_id, hash, expiration_date)
  values (${id}::text, ${userId}::text, ${hash}, now() + ${expiresInSeconds ?? null}::float8 * interval '1 second')
  returning expiration_date`;

const selectTokens = (userId: string | undefined) => sql`
  select id, user_id, creation_date, expiration_date
  from tokens
  where ${userId ?? null}::text is null or user_id = ${userId ?? null}::text
  order by creation_date, id`;

const deleteToken = (id: string) => sql`delete from tokens where id = ${id}::text returning id`;
