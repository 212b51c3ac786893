import sql, { raw, type Sql } from "sql-template-tag";
import type { CallerStore } from "../../identity/store.ts";
import type { Database } from "../pool/database.ts";
import { named, type Statement } from "../pool/prepared.ts";
import { primaryNow } from "../pool/primary-time.ts";
import { type KeptEntries, keepEntries, type RightsRow } from "./kept-entries.ts";

export function postgresCallers(database: Database, kept: KeptEntries = keepEntries()): CallerStore {
  const find = async (name: string, statement: (version: string | undefined) => Statement, signal: AbortSignal) => {
    const known = kept.recall(name);
    const [row] = await database.query<CallerRow & { token_id?: string }>(statement(known?.version), signal);
    return row && { userId: row.user_id, entries: kept.learn(name, known, row), tokenId: row.token_id };
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

export type CallerRow = RightsRow & { user_id: string };

/** Reads the token and the rights of its user in one round trip, for every request. */
const findCallerByToken = (hash: Buffer, version: string | undefined) =>
  named(
    "find caller by token",
    sql`
  select t.user_id, t.id as token_id, ${rightsOf("t.user_id", version)}
  from tokens t ${versionsOf("t.user_id")}
  where t.hash = ${hash} and (t.expiration_date is null or t.expiration_date > ${primaryNow})`,
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
