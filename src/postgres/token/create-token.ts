import sql, { raw, type Sql } from "sql-template-tag";
import type { Actor } from "../../authorization/actor.ts";
import { everywhere, requirePermission } from "../../authorization/permissions.ts";
import { Refusal } from "../../authorization/refusal.ts";
import { unauthenticated } from "../../identity/authenticate.ts";
import { type CreatedToken, mostTokens, noSuchUser, type TokenStore } from "../../identity/token-store.ts";
import type { Connection, Database } from "../pool/database.ts";
import { type EntryRow, toEntry } from "../seen/entries.ts";
import { appendTokenEvents } from "./token-events.ts";

/** On behalf of a caller, as TokenStore says. */
export const createToken =
  (database: Database): TokenStore["create"] =>
  (asked, madeWith, actor, signal) =>
    database.transaction(signal, async ({ query }) => {
      await lockUsers(query, asked.userId, actor.userId);
      const isForAnother = asked.userId !== actor.userId;
      if (isForAnother) await requireStillPermitted(query, actor.userId);
      if (madeWith !== undefined) await requireValid(query, madeWith, actor.userId);
      await requireFewTokens(query, asked.userId);
      const token = {
        ...{ userId: asked.userId, name: asked.name, hash: asked.hash, makerId: actor.userId, madeWith },
        lifetime: sql`${asked.lifetimeMicroseconds.toString()}::bigint * interval '1 microsecond'`,
        endsWith: isForAnother ? undefined : madeWith,
      };
      const [created] = await query<CreatedToken>(insertToken(token, actor));
      if (created === undefined) throw unauthenticated();
      return created;
    });

/**
 * Locks the users until the end of the transaction, so that tokens for the same user are counted one after the other.
 * Removals lock users in the same order, before their tokens.
 */
async function lockUsers(query: Connection["query"], userId: string, callerId: string): Promise<void> {
  const rows = await query<{ id: string }>(sql`
    select id from users where id = any(${[userId, callerId]}::text[]) order by id for no key update`);
  const found = new Set(rows.map(({ id }) => id));
  if (!found.has(callerId)) throw unauthenticated();
  if (!found.has(userId)) throw noSuchUser();
}

/** The entry can't be taken away before the transaction ends. */
export async function requireStillPermitted(query: Connection["query"], userId: string): Promise<void> {
  const rows = await query<EntryRow>(sql`
    select scope, roles from administrators
    where user_id = ${userId}::text and num_nonnulls(organization_id, project_id, project_grant_id) = 0
    for share`);
  requirePermission({ userId, entries: rows.map(toEntry) }, "directory.write", everywhere);
}

/** The token can't be revoked before the new one is stored, and then the new one is revoked with it. */
async function requireValid(query: Connection["query"], tokenId: string, userId: string): Promise<void> {
  const [row] = await query(sql`
    select from tokens where id = ${tokenId}::text and user_id = ${userId}::text and ${isUnexpired} for key share`);
  if (row === undefined) throw unauthenticated();
}

async function requireFewTokens(query: Connection["query"], userId: string): Promise<void> {
  const [row] = await query<{ number: number }>(sql`
    select count(*)::integer as number from (
      select from tokens where user_id = ${userId}::text and ${isUnexpired} limit ${mostTokens}) unexpired`);
  if ((row?.number ?? 0) < mostTokens) return;
  throw new Refusal(
    "TOO_MANY_TOKENS",
    `the user has ${mostTokens} tokens that have not expired: revoke those no longer needed`,
    { maximum: String(mostTokens) },
  );
}

const isUnexpired = raw("(expiration_date is null or expiration_date > statement_timestamp())");

type StoredToken = {
  readonly userId: string;
  readonly name: string;
  readonly hash: Buffer;
  /** An interval; null for a token that never ends. */
  readonly lifetime: Sql;
  readonly makerId: string | undefined;
  readonly madeWith: string | undefined;
  /** The token that this one must not outlive. */
  readonly endsWith: string | undefined;
};

/**
 * Inserts a token and its event, and selects its id and when it ends. Inserts nothing if the token that it must not outlive
 * has ended.
 */
export function insertToken(token: StoredToken, actor: Actor): Sql {
  const { userId, name, hash, lifetime, makerId, madeWith, endsWith } = token;
  return sql`
    with latest as (
      select null::timestamptz as ends where ${endsWith ?? null}::text is null
      union all
      select expiration_date from tokens where id = ${endsWith ?? null}::text and ${isUnexpired}
    ), asked as (
      select statement_timestamp() + ${lifetime} as ends
    ), created as (
      insert into tokens (id, user_id, hash, name, creation_date, expiration_date, maker_id, made_with)
      select
        gen_random_uuid()::text, ${userId}::text, ${hash}, ${name}::text, statement_timestamp(),
        least(asked.ends, latest.ends), ${makerId ?? null}::text, ${madeWith ?? null}::text
      from asked, latest
      returning *
    ), appended as (${appendTokenEvents("created", sql`created`, actor)})
    select c.id, c.expiration_date as "expirationDate", coalesce(c.expiration_date < asked.ends, false) as shortened
    from created c, asked`;
}

/** Null for a token that never ends. */
export function seconds(number: number | undefined): Sql {
  return sql`${number ?? null}::float8 * interval '1 second'`;
}
