/**
 * The fields of an error that are logged: what it is, where it happened and, from Postgres, which rule or relation it
 * is about. Everything else is left out, because the details of Postgres errors repeat rows and parameters, and so
 * names and login names.
 */
export function errorFields(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const message = withoutValues(error);
  // The frames alone, because the stack begins with the original message.
  const [frames = ""] = /\n {4}at .*/s.exec(error.stack ?? "") ?? [];
  const stack = `${error.name}: ${message}${frames}`;
  const fields: Record<string, unknown> = { type: error.constructor.name, message, stack };
  for (const name of kept) {
    const value = (error as unknown as Record<string, unknown>)[name];
    if (typeof value === "string" || typeof value === "number") fields[name] = value;
  }
  if (depth === deepest) return fields;
  if (error.cause !== undefined) fields.cause = errorFields(error.cause, depth + 1);
  if (error instanceof AggregateError) fields.errors = error.errors.map((each) => errorFields(each, depth + 1));
  return fields;
}

const deepest = 3;

/** Fields of Postgres errors and of Node's system errors. */
const kept = [
  "code",
  "severity",
  "schema",
  "table",
  "column",
  "dataType",
  "constraint",
  "routine",
  "syscall",
  "address",
  "port",
];

/** Errors with SQLSTATE class 22 repeat the invalid value, after a colon and in quotation marks. */
function withoutValues(error: Error): string {
  const isAboutValue = /^22/.test(String((error as { code?: unknown }).code));
  return isAboutValue ? error.message.replace(/".*"/s, '"…"') : error.message;
}
