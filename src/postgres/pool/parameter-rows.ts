import sql, { join, raw, type Sql } from "sql-template-tag";

/** One row of a statement's input. Its columns are texts or lists of texts. */
export type GivenRow = Readonly<Record<string, string | readonly string[]>>;

/**
 * The rows as a table of that name, with their `position`. The only row of a single call becomes values of the
 * statement, which is then planned for one row. Many rows are passed as JSON, the only way to pass rows with lists.
 */
export function givenRows(name: string, rows: readonly GivenRow[]): Sql {
  const [first = {}] = rows;
  const columns = Object.entries(first);
  if (rows.length === 1) {
    const values = columns.map(([column, value]) => sql`${value}::${typeOf(value)} as ${raw(column)}`);
    return sql`(select ${join(values)}, 1 as position) ${raw(name)}`;
  }
  const types = columns.map(([column, value]) => sql`${raw(column)} ${typeOf(value)}`);
  const names = [...Object.keys(first), "position"].join(", ");
  return sql`rows from (json_to_recordset(${JSON.stringify(rows)}::json) as (${join(types)})) with ordinality
    as ${raw(name)} (${raw(names)})`;
}

/** The same for rows with an id alone. */
export function givenIds(name: string, ids: readonly string[]): Sql {
  const rows = ids.map((id) => ({ id }));
  return givenRows(name, rows);
}

/** The fastest way to read the rows several times in a statement. */
export function keptFor(rows: readonly unknown[]): Sql {
  return rows.length === 1 ? sql`not materialized` : sql`materialized`;
}

function typeOf(value: string | readonly string[]): Sql {
  return typeof value === "string" ? sql`text` : sql`text[]`;
}
