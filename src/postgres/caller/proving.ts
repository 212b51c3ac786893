import sql, { type Sql } from "sql-template-tag";
import { unauthenticated } from "../../identity/authenticate.ts";
import { type RememberedCaller, requestToProve } from "../../identity/remembered-callers.ts";
import type { Identified } from "../../identity/store.ts";
import type { Database } from "../pool/database.ts";
import type { Statement } from "../pool/prepared.ts";
import { primaryNow } from "../pool/primary-time.ts";

/**
 * The same database, whose reads for a request also say whether its caller still holds, in the same snapshot. If it doesn't,
 * the read rejects, and the request is answered again for the caller as it is now. That is so for a caller who was looked up,
 * too: the read may have waited for a connection since then.
 */
export function proving(database: Database): Database {
  return {
    ...database,
    async query<Row extends object>(statement: Statement, signal: AbortSignal) {
      const request = requestToProve.getStore();
      if (request?.identified === undefined) return database.query<Row>(statement, signal);
      request.remembered ??= { ...request.identified, doubt() {} };
      const { remembered } = request;
      const rows = await database.query<Row>(ifHolds(statement, remembered), signal);
      // Versions don't come back, so a caller who holds now has held when there were no rows. That is asked for once: how
      // many statements there are must not tell whether there is something that the caller can't see.
      const isProven = rows.length > 0 || remembered.holds === true;
      const holds = isProven || (await database.query(ifHolds(proof, remembered), signal)).length > 0;
      remembered.holds = holds && remembered.holds !== false;
      if (!holds) throw unauthenticated();
      return rows;
    },
  };
}

/** The statement, without rows if the caller no longer holds. That is evaluated once, before anything else. */
function ifHolds({ text, values, name, ...more }: Statement, remembered: RememberedCaller): Statement {
  const condition = holds(remembered);
  let number = values.length;
  const where = condition.text.replaceAll(/\$\d+/g, () => `$${++number}`);
  return {
    ...more,
    ...(name !== undefined && { name: `${name}, proven` }),
    text: `select proven.* from (${text}) proven where ${where}`,
    values: [...values, ...condition.values],
  };
}

/** Reads nothing but whether the caller of this request still holds. */
export const proof: Statement = { name: "prove caller", text: "select true as holds", values: [] };

/**
 * For a statement that writes: true if the caller of this request, remembered or looked up, still holds once the rows of
 * a query that locks are found. It may have waited for a suspension, which takes the caller's rights, but not the rows.
 */
export function callerHolds(locks: Sql): Sql {
  const identified = requestToProve.getStore()?.identified;
  const stillHolds = holds(identified ?? nobody, sql`caller_still_holds`);
  return sql`(${identified === undefined}::boolean or (select ${stillHolds} from ${locks}))`;
}

const nobody = { caller: { userId: "", entries: [], version: null }, tokenHash: undefined };

/** Has the next read tell whether the caller holds, also if there are no rows. */
export function proveAgain(): void {
  delete requestToProve.getStore()?.remembered?.holds;
}

/**
 * For a statement that reads the entries of the caller of this request itself: true if its credentials are still valid, for
 * `requireValidCredentials`.
 */
export function areCredentialsValid(): Sql {
  const identified = requestToProve.getStore()?.identified;
  const { caller, tokenHash } = identified ?? nobody;
  const version = sql`(select v.version from administrator_versions v where v.user_id = ${caller.userId}::text)`;
  return sql`(${identified === undefined}::boolean or ${holdsWith(version, caller.userId, tokenHash, sql`caller_holds`)})`;
}

export function requireValidCredentials({ is_valid }: { readonly is_valid: boolean }): void {
  if (!is_valid) throw unauthenticated();
}

/** True if the caller's credentials are valid, and its entries are those that are remembered. */
function holds({ caller: { userId, version }, tokenHash }: Identified, asked = sql`caller_holds`): Sql {
  return holdsWith(sql`${version}::uuid`, userId, tokenHash, asked);
}

function holdsWith(version: Sql, userId: string, tokenHash: Buffer | undefined, asked: Sql): Sql {
  return sql`${asked}(${tokenHash ?? null}::bytea, ${userId}::text, ${version}, ${primaryNow})`;
}
