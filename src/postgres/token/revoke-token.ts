import sql, { type Sql } from "sql-template-tag";
import type { Actor } from "../../authorization/actor.ts";
import type { TokenStore } from "../../identity/token-store.ts";
import type { Connection, Database } from "../pool/database.ts";
import { requireStillPermitted } from "./create-token.ts";
import { appendTokenEvents } from "./token-events.ts";

export const revokeToken =
  (database: Database): TokenStore["revoke"] =>
  (id, ownerId, actor, signal) => {
    const isIt = sql`id = ${id}::text and (${ownerId ?? null}::text is null or user_id = ${ownerId ?? null}::text)`;
    return database.transaction(signal, async (connection) => {
      const revoked = await revokeTokens(connection, isIt, actor);
      // It may have waited for the tokens. Operators need no permission.
      const isOfAny = revoked > 0 && ownerId === undefined;
      if (isOfAny && actor.userId !== undefined) await requireStillPermitted(connection.query, actor.userId);
      return revoked;
    });
  };

/**
 * Revokes the tokens that meet a condition, and those made with them.
 *
 * @returns how many
 */
export async function revokeTokens({ query }: Connection, condition: Sql, actor: Actor): Promise<number> {
  const ids = await lockWithDescendants(query, condition);
  if (ids.length > 0) await query(deleteTokens(ids, actor));
  return ids.length;
}

/**
 * Locks tokens and the tokens made with them, directly or not. A token that is being created holds the token it is
 * made with, so each look can find more, until all are locked and no other can follow.
 */
async function lockWithDescendants(query: Connection["query"], condition: Sql): Promise<string[]> {
  for (let known = 0; ; ) {
    const rows = await query<{ id: string }>(lockTrees(condition));
    if (rows.length === known) return rows.map((row) => row.id);
    known = rows.length;
  }
}

const lockTrees = (condition: Sql) => sql`
  with recursive tree as (
    select id from tokens where ${condition}
    union
    select t.id from tokens t join tree on t.made_with = tree.id
  )
  select id from tokens where id in (select id from tree) order by id for update`;

const deleteTokens = (ids: readonly string[], actor: Actor) => sql`
  with revoked as (
    delete from tokens where id = any(${ids}::text[]) returning *
  )
  ${appendTokenEvents("revoked", sql`revoked`, actor)}`;
