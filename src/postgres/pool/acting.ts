import sql, { type Sql } from "sql-template-tag";
import type { Actor } from "../../authorization/actor.ts";

/** Who makes a change: the values of an event's columns actor_id, request_id and reason. */
export function acting({ userId, requestId, reason }: Actor): Sql {
  return sql`${userId ?? null}::text, ${requestId}::uuid, ${reason}::text`;
}
