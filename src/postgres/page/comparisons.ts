import sql, { join, type Sql } from "sql-template-tag";
import type { Instant } from "../../authorization/authorization.ts";
import { isInstant, toRfc3339 } from "../../authorization/instant.ts";
import type { DateRange, TextMatch } from "../../authorization/list.ts";

/** The end is the first instant after the range. */
export function isWithin(date: Sql, { from, to }: DateRange): Sql {
  const conditions = [];
  if (from !== undefined) conditions.push(sql`${date} >= ${moment(from)}::timestamptz`);
  if (to !== undefined) conditions.push(sql`${date} < ${moment(to)}::timestamptz`);
  return sql`(${join(conditions, " and ")})`;
}

/** A time after the last possible microsecond comes after everything stored. */
function moment(instant: Instant): string {
  return isInstant(instant) ? toRfc3339(instant) : "infinity";
}

/**
 * Indexes hold the case-folded form (migrations/0001_directory.sql). A text that matches with its case also matches
 * when folded, so the index finds all candidates, and these are compared once more.
 *
 * @param planned how Postgres plans: for the text, or once for all texts, which it doesn't see in a subquery
 */
export function textMatches(
  column: Sql,
  { text, method, ignoreCase }: TextMatch,
  planned: "for the text" | "once" = "for the text",
): Sql {
  const compare = (left: Sql, right: Sql) =>
    method === "equals" ? sql`${left} = ${right}` : sql`${left} like ${right}`;
  const given = (value: Sql) => (planned === "once" ? sql`(select ${value})` : value);
  const value = sql`${pattern(text, method)}::text`;
  const folded = compare(sql`fold_case(${column})`, given(sql`fold_case(${value})`));
  return ignoreCase ? folded : sql`${folded} and ${compare(column, given(value))}`;
}

/** By the beginnings of words (migrations/0001_directory.sql). */
export function wordsMatch(words: Sql, text: string): Sql {
  return sql`${words} @@ search_query(${text}::text)`;
}

/** Escapes the special characters of LIKE, so it finds the text literally. */
function pattern(text: string, method: TextMatch["method"]): string {
  const literal = text.replace(/[\\%_]/g, "\\$&");
  switch (method) {
    case "equals":
      return text;
    case "startsWith":
      return `${literal}%`;
    case "contains":
      return `%${literal}%`;
    case "endsWith":
      return `%${literal}`;
  }
}
