import sql, { type Sql } from "sql-template-tag";
import { unauthenticated } from "../../identity/authenticate.ts";
import { type RememberedCaller, requestToProve } from "../../identity/remembered-callers.ts";
import type { Identified } from "../../identity/store.ts";
import type { Database } from "../pool/database.ts";
import type { Statement } from "../pool/prepared.ts";
import { primaryNow } from "../pool/primary-time.ts";

/**
 * The same database, whose first read for a request with a remembered caller also says whether that caller still holds, in
 * the same snapshot. If it doesn't, or there are no rows to tell, the read rejects, and the request is answered again for the
 * caller as it is now.
 */
export function proving(database: Database): Database {
  return {
    ...database,
    async query<Row extends object>(statement: Statement, signal: AbortSignal) {
      const remembered = requestToProve.getStore()?.remembered;
      if (remembered === undefined || remembered.holds) return database.query<Row>(statement, signal);
      const rows = await database.query<Row>(ifHolds(statement, remembered), signal);
      remembered.holds = rows.length > 0;
      if (!remembered.holds) throw unauthenticated();
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

/** Has the next read prove the caller again, also one who was looked up. */
export function proveAgain(): void {
  const request = requestToProve.getStore();
  if (request?.identified === undefined) return;
  request.remembered ??= { ...request.identified, doubt() {} };
  delete request.remembered.holds;
}

/** True if the caller's credentials are valid, and its entries are those that are remembered. */
function holds({ caller: { userId, version }, tokenHash }: Identified, asked = sql`caller_holds`): Sql {
  return sql`${asked}(${tokenHash ?? null}::bytea, ${userId}::text, ${version}::uuid, ${primaryNow})`;
}
