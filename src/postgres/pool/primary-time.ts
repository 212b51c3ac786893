import sql from "sql-template-tag";
import type { Statement } from "./prepared.ts";

/**
 * The current time by the primary's clock, for statements that only read. Postgres knows it while it plans, so it expects
 * as many ends before it as there are, and can keep a plan. Of a value that comes later it would expect a third of all.
 */
export const primaryNow = sql`transaction_timestamp()`;

/** The statement for a replica, whose own clock may differ. It has another name, because a name means one text. */
export function atTime(statement: Statement, time: string): Statement {
  const { text, values, name } = statement;
  if (!text.includes(primaryNow.text)) return statement;
  return {
    ...statement,
    ...(name !== undefined && { name: `${name} at` }),
    text: text.replaceAll(primaryNow.text, () => `$${values.length + 1}::timestamptz`),
    values: [...values, time],
  };
}
