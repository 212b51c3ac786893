import sql, { type Sql } from "sql-template-tag";
import type { Statement } from "./prepared.ts";

/**
 * Stands for the primary's time among the values of a statement. On the primary it is null. On a replica it is replaced,
 * because a replica's own clock may differ.
 */
const placeholder = { toPostgres: () => null };

/** The current time by the primary's clock, for statements that only read. */
export const primaryNow = sql`coalesce(${placeholder}::timestamptz, now())`;

/** The statement for a replica. */
export function atTime(statement: Sql | Statement, time: string): Sql | Statement {
  if (!statement.values.includes(placeholder)) return statement;
  const values = statement.values.map((value) => (value === placeholder ? time : value));
  // The text of an Sql is not a property of its own.
  return { ...(statement as Statement), text: statement.text, values };
}
