/** Explains why the embedded Postgres doesn't work here, and what to do instead. */
export function cannotRun(why: string): Error {
  return new Error(
    `The embedded PostgreSQL cannot run: ${why}\nSet DATABASE_URL to use a PostgreSQL of your own instead.`,
  );
}
