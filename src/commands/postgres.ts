import type pg from "pg";
import type { Config } from "../config.ts";
import { openEmbeddedPostgres } from "../embedded/embedded-postgres.ts";

/** How to reach Postgres, and how to leave it. */
export type Postgres = {
  readonly connection: pg.ClientConfig;
  /** Whether it is the embedded one in DATA_DIR. */
  readonly embedded: boolean;
  /** Stops the embedded Postgres if this process started it. */
  stop(): Promise<void>;
};

/** Uses DATABASE_URL or the embedded PostgreSQL, which a command joins or starts, and a server owns. */
export async function openPostgres(
  config: Config,
  owner: { kind: "server" } | { kind: "command"; name: string },
): Promise<Postgres> {
  if (config.databaseUrl !== undefined) {
    return { connection: { connectionString: config.databaseUrl }, embedded: false, stop: async () => {} };
  }
  const postgres = await openEmbeddedPostgres({ dataDirectory: config.dataDirectory, owner, say: tell });
  const { socketDirectory: host, port } = postgres;
  return { connection: { host, port, user: "postgres", database: "postgres" }, embedded: true, stop: postgres.stop };
}

/** Runs a command on Postgres and leaves it as it was found, whatever happens. */
export async function onPostgres<T>(
  config: Config,
  name: string,
  work: (postgres: Postgres) => Promise<T>,
): Promise<T> {
  const postgres = await openPostgres(config, { kind: "command", name });
  try {
    return await work(postgres);
  } finally {
    await postgres.stop();
  }
}

/** What people want to know while they wait goes to standard error; standard output is for results. */
export function tell(message: string): void {
  process.stderr.write(`${message}\n`);
}
