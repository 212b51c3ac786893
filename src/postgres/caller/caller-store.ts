import sql, { raw, type Sql } from "sql-template-tag";
import type { CallerStore, Identified } from "../../identity/store.ts";
import type { Database } from "../pool/database.ts";
import { named, type Statement } from "../pool/prepared.ts";
import { primaryNow } from "../pool/primary-time.ts";
import { type EntryRow, toEntry } from "../seen/entries.ts";

export function postgresCallers(database: Database): CallerStore {
  const find = async (statement: Statement, signal: AbortSignal) => {
    const [row] = await database.query<CallerRow & { token_id?: string; version: string | null }>(statement, signal);
    return (
      row && { userId: row.user_id, entries: row.entries.map(toEntry), tokenId: row.token_id, version: row.version }
    );
  };
  return {
    findByToken: (hash, signal) => find(findCallerByToken(hash), signal),
    findByUserId: (userId, signal) => find(findCallerByUserId(userId), signal),
    async changedOf(all, signal) {
      const changed = await database.query<{ position: number }>(findChanged(all), signal);
      return changed.flatMap(({ position }) => all[position - 1] ?? []);
    },
  };
}

export type CallerRow = { user_id: string; entries: EntryRow[] };

/** Reads the token and the entries of its user in one round trip. */
const findCallerByToken = (hash: Buffer) =>
  named(
    "find caller by token",
    sql`
  select t.user_id, t.id as token_id, ${entriesOf("t.user_id")} as entries, v.version
  from tokens t
  left join administrator_versions v on v.user_id = t.user_id
  where t.hash = ${hash} and (t.expiration_date is null or t.expiration_date > ${primaryNow})`,
  );

/** Reads the user and its entries in one round trip. */
const findCallerByUserId = (userId: string) =>
  named(
    "find caller by user id",
    sql`
  select u.id as user_id, ${entriesOf("u.id")} as entries, v.version
  from users u
  left join administrator_versions v on v.user_id = u.id
  where u.id = ${userId}::text`,
  );

const findChanged = (all: readonly Identified[]) =>
  named(
    "find changed callers",
    sql`
  select one.position::integer
  from unnest(
    ${all.map(({ tokenHash }) => tokenHash ?? null)}::bytea[], ${all.map(({ caller }) => caller.userId)}::text[],
    ${all.map(({ caller }) => caller.version)}::uuid[]) with ordinality as one (hash, user_id, version, position)
  where not caller_holds(one.hash, one.user_id, one.version, ${primaryNow})`,
  );

/** Selects the user's administrator entries as JSON for `toEntry`. */
export function entriesOf(userId: "t.user_id" | "u.id"): Sql {
  return sql`(
    select coalesce(json_agg(json_build_object('scope', a.scope, 'roles', a.roles)), '[]')
    from administrators a where a.user_id = ${raw(userId)})`;
}
