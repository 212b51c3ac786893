import sql, { raw, type Sql } from "sql-template-tag";
import type { Actor } from "../../authorization/actor.ts";
import { acting } from "../pool/acting.ts";

/** A token `t` in the events of the directory: the JSON of its fields, never its hash. Empty fields are left out. */
export const imageOfToken = `
    jsonb_strip_nulls(jsonb_build_object(
      'id', t.id, 'name', nullif(t.name, ''), 'userId', t.user_id, 'makerId', t.maker_id,
      'creationDate', to_char(t.creation_date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
      'expirationDate', to_char(t.expiration_date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')))`;

/** The statement that appends the event of each token in a table: it was created, or revoked. */
export function appendTokenEvents(what: "created" | "revoked", tokens: Sql, actor: Actor): Sql {
  const images = what === "created" ? `null, ${imageOfToken}` : `${imageOfToken}, null`;
  return sql`
    insert into directory_events (time, kind, id, user_id, actor_id, request_id, reason, before, after)
    select
      ${raw(what === "created" ? "t.creation_date" : "statement_timestamp()")}, 'token', t.id, t.user_id,
      ${acting(actor)}, ${raw(images)}
    from ${tokens} t
    order by t.creation_date, t.id`;
}
