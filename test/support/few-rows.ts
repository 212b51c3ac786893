import { fewRows } from "../../src/postgres/list/list-authorizations.ts";
import { fewFound, fewInReach } from "../../src/postgres/list/search.ts";
import { fewUsers } from "../../src/postgres/look-up/list-users.ts";
import type { Database } from "../../src/postgres/pool/database.ts";

/**
 * The database, for lists that read and sort at most this many rows before they go by an index instead: small worlds then
 * have lists on either side of it.
 */
export function withFewRows(database: Database, few: number): Database {
  const numbers = new RegExp(`\\b(?:${fewRows}|${fewUsers}|${fewInReach}|${fewFound})\\b`, "g");
  return {
    ...database,
    query: (statement, signal) => {
      const { values, text } = statement;
      const changed = text.replaceAll(numbers, String(few));
      // A name stands for one text only.
      return database.query(changed === text ? statement : { text: changed, values }, signal);
    },
  };
}
