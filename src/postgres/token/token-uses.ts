import sql from "sql-template-tag";
import type { RecordTokenUses, TokenUse } from "../../identity/token-uses.ts";
import type { Database } from "../pool/database.ts";
import { named } from "../pool/prepared.ts";

export const recordTokenUses =
  (database: Database): RecordTokenUses =>
  async (uses, signal) => {
    // It writes, which replicas can't.
    const rows = await database.transaction(signal, ({ query }) => query<{ id: string }>(recordUses(uses)));
    return rows.map(({ id }) => id);
  };

/**
 * A stored use that is less than three minutes older is recent enough: together with the minute between two calls, and
 * one more if a token is locked, that stays within five minutes. A token that is locked is being revoked, or a token is
 * being made with it. Locks nothing that others wait for longer than this one statement.
 */
const recordUses = (uses: readonly TokenUse[]) =>
  named(
    "record uses of tokens",
    sql`
  with used as materialized (
    select t.id, statement_timestamp() - u.ago * interval '1 millisecond' as at
    from unnest(${uses.map(({ tokenId }) => tokenId)}::text[], ${uses.map(({ agoMs }) => agoMs)}::float8[]) as u (id, ago)
    join tokens t on t.id = u.id
    where coalesce(t.last_use_date, '-infinity')
      < statement_timestamp() - u.ago * interval '1 millisecond' - interval '3 minutes'
      -- Of a remembered token, the use was refused.
      and coalesce(t.expiration_date, 'infinity') > statement_timestamp() - u.ago * interval '1 millisecond'
  ), free as materialized (
    select t.id from tokens t where t.id in (select id from used) order by t.id for no key update skip locked
  ), stored as (
    update tokens t set last_use_date = used.at
    from used join free on free.id = used.id
    where t.id = used.id
  )
  select id from used where id not in (select id from free)`,
  );
