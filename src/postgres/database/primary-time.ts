import sql from "sql-template-tag";

/**
 * Stands for the primary's time among the values of a statement. On the primary it is null. On a replica it is replaced,
 * because a replica's own clock may differ.
 */
const placeholder = { toPostgres: () => null };

/** The current time by the primary's clock, for statements that only read. */
export const primaryNow = sql`coalesce(${placeholder}::timestamptz, now())`;

type WithValues = { readonly text: string; readonly values: unknown[]; readonly name?: string };

/** The statement for a replica. */
export function atTime<S extends WithValues>(statement: S, time: string): S | WithValues {
  if (!statement.values.includes(placeholder)) return statement;
  const { text, name, values } = statement;
  const timed = { text, values: values.map((value) => (value === placeholder ? time : value)) };
  return name === undefined ? timed : { ...timed, name };
}
