/** Every reason why the embedded Postgres does not work here comes with the way out. */
export function cannotRun(why: string): Error {
  return new Error(
    `The embedded PostgreSQL cannot run: ${why}\nSet DATABASE_URL to use a PostgreSQL of your own instead.`,
  );
}
