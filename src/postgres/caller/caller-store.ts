import { randomUUID } from "node:crypto";
import sql, { raw, type Sql } from "sql-template-tag";
import type { Instant } from "../../authorization/authorization.ts";
import type { CallerStore, TokenRecord, TokenStore } from "../../identity/store.ts";
import type { Database } from "../database/database.ts";
import { sqlState } from "../database/failures.ts";
import { named, type Statement } from "../database/prepared.ts";
import { type KeptEntries, keepEntries, type RightsRow } from "./kept-entries.ts";

export function postgresCallers(database: Database, kept: KeptEntries = keepEntries()): CallerStore {
  const find = async (name: string, statement: (version: string | undefined) => Statement, signal: AbortSignal) => {
    const known = kept.recall(name);
    const [row] = await database.query<CallerRow>(statement(known?.version), signal);
    return row && { userId: row.user_id, entries: kept.learn(name, known, row) };
  };
  return {
    findByToken: (hash, signal) =>
      find(`token ${hash.toString("base64")}`, (version) => findCallerByToken(hash, version), signal),
    findByUserId: (userId, signal) =>
      find(nameOfUser(userId), (version) => findCallerByUserId(userId, version), signal),
  };
}

/** What the entries of a user are kept under. */
export function nameOfUser(userId: string): string {
  return `user ${userId}`;
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

export type CallerRow = RightsRow & { user_id: string };

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
const findCallerByToken = (hash: Buffer, version: string | undefined) =>
  named(
    "find caller by token",
    sql`
  select t.user_id, ${rightsOf("t.user_id", version)}
  from tokens t ${versionsOf("t.user_id")}
  where t.hash = ${hash} and (t.expiration_date is null or t.expiration_date > now())`,
  );

/** Reads the user and its rights in one round trip, for every request. */
const findCallerByUserId = (userId: string, version: string | undefined) =>
  named(
    "find caller by user id",
    sql`
  select u.id as user_id, ${rightsOf("u.id", version)}
  from users u ${versionsOf("u.id")}
  where u.id = ${userId}::text`,
  );

type UserColumn = "t.user_id" | "u.id";

/** Selects the version of a user's entries, and the entries only if they are not of the known version. */
export function rightsOf(userId: UserColumn, version: string | undefined): Sql {
  return sql`v.version, case when v.version = ${version ?? null}::uuid then null else ${entriesOf(userId)} end as entries`;
}

/** The table that `rightsOf` needs. */
export function versionsOf(userId: UserColumn): Sql {
  return sql`left join administrator_versions v on v.user_id = ${raw(userId)}`;
}

/** Selects the user's administrator entries `a` for which the condition is true, as the JSON of entry rows. */
export function entriesOf(userId: UserColumn, condition = sql`true`): Sql {
  return sql`(
    select coalesce(json_agg(json_build_object(
      'organization_id', a.organization_id, 'project_id', a.project_id,
      'project_grant_id', a.project_grant_id, 'home_id', a.home_id, 'roles', a.roles)), '[]')
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
