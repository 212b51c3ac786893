import sql from "sql-template-tag";
import type { Actor } from "../../authorization/actor.ts";
import type { Connection, Database } from "../pool/database.ts";
import { appendTokenEvents } from "./token-events.ts";

/** As TokenStore says. */
export function revokeToken(
  database: Database,
  id: string,
  ownerId: string | undefined,
  actor: Actor,
  signal: AbortSignal,
): Promise<number> {
  return database.transaction(signal, async ({ query }) => {
    const ids = await lockWithDescendants(query, id, ownerId);
    if (ids.length > 0) await query(deleteTokens(ids, actor));
    return ids.length;
  });
}

/**
 * Locks a token and the tokens made with it, directly or not. A token that is being created holds the token it is
 * made with, so each look can find more, until all are locked and no other can follow.
 */
async function lockWithDescendants(
  query: Connection["query"],
  id: string,
  ownerId: string | undefined,
): Promise<string[]> {
  for (let known = 0; ; ) {
    const rows = await query<{ id: string }>(lockTree(id, ownerId));
    if (rows.length === known) return rows.map((row) => row.id);
    known = rows.length;
  }
}

const lockTree = (id: string, ownerId: string | undefined) => sql`
  with recursive tree as (
    select id from tokens where id = ${id}::text and (${ownerId ?? null}::text is null or user_id = ${ownerId ?? null}::text)
    union
    select t.id from tokens t join tree on t.made_with = tree.id
  )
  select id from tokens where id in (select id from tree) order by id for update`;

const deleteTokens = (ids: readonly string[], actor: Actor) => sql`
  with revoked as (
    delete from tokens where id = any(${ids}::text[]) returning *
  )
  ${appendTokenEvents("revoked", sql`revoked`, actor)}`;
