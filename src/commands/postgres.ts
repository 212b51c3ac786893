import type pg from "pg";
import { Refusal } from "../authorization/refusal.ts";
import type { Config } from "../config/config.ts";
import { splitHosts } from "../config/postgres-hosts.ts";
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  openEmbeddedPostgres,
} from "../embedded/embedded-postgres.ts";
import { migrate, missingMigrations } from "../postgres/migrations/migrations.ts";
import { type Database, openDatabase } from "../postgres/pool/database.ts";
import { asRefusal, NoOwnSessions, sqlState } from "../postgres/pool/failures.ts";
import { type Hosts, openHosts } from "../postgres/pool/hosts.ts";
import { requireOwnSessions } from "../postgres/pool/own-sessions.ts";
import { CommandError } from "./command-error.ts";

/** How to reach Postgres, and how to leave it. */
export type Postgres = {
  readonly connection: pg.ClientConfig;
  /** If DATABASE_URL lists several hosts. */
  readonly hosts?: Hosts;
  /** Whether it is the embedded PostgreSQL in DATA_DIR. */
  readonly embedded: boolean;
  /** Stops the embedded PostgreSQL if this process started it. */
  stop(): Promise<void>;
};

/** Uses DATABASE_URL or the embedded PostgreSQL. Commands join or start that one; servers own it. */
async function openPostgres(config: Config, owner: EmbeddedPostgresOptions["owner"]): Promise<Postgres> {
  if (config.databaseUrl !== undefined) {
    // Behind a pooler that shares sessions, a migration's lock would stay in a session that others use.
    return useGiven(config.databaseUrl, requireOwnSessions);
  }
  const postgres = await openEmbedded(config.dataDirectory, owner);
  const { socketDirectory: host, port } = postgres;
  return { connection: { host, port, user: "postgres", database: "postgres" }, embedded: true, stop: postgres.stop };
}

/** @param check called before anything else is done there */
async function useGiven(
  databaseUrl: string,
  check?: (connection: pg.ClientConfig) => Promise<void>,
): Promise<Postgres> {
  const urls = splitHosts(databaseUrl) ?? [];
  const hosts = urls.length > 1 ? openHosts(urls) : undefined;
  try {
    await hosts?.find();
    const connection = hosts?.connection ?? { connectionString: urls[0] };
    await check?.(connection);
    return { connection, ...(hosts && { hosts }), embedded: false, stop: async () => hosts?.close() };
  } catch (error) {
    // Its connections would keep the process alive.
    hosts?.close();
    throw error;
  }
}

/**
 * For a worker: uses the Postgres that its primary process has opened and checked.
 *
 * @param embedded the connection, if it is the embedded PostgreSQL
 */
export async function joinPostgres(config: Config, embedded: pg.ClientConfig | undefined): Promise<Postgres> {
  if (embedded !== undefined) return { connection: embedded, embedded: true, stop: async () => {} };
  return useGiven(config.databaseUrl ?? "");
}

/** Turns failures into messages for people, which say what to do. */
async function openEmbedded(dataDirectory: string, owner: EmbeddedPostgresOptions["owner"]): Promise<EmbeddedPostgres> {
  try {
    return await openEmbeddedPostgres({ dataDirectory, owner, say: tell });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isAboutFiles = error instanceof Error && "syscall" in error;
    throw new CommandError(isAboutFiles ? `DATA_DIR cannot be used: ${message}` : message, { cause: error });
  }
}

/**
 * Runs a command or a server on Postgres, and stops Postgres if it was started for this. Turns its failures into plain
 * messages.
 */
export async function onPostgres<T>(
  config: Config,
  owner: string | { readonly kind: "server" },
  work: (postgres: Postgres) => Promise<T>,
): Promise<T> {
  try {
    const postgres = await openPostgres(config, typeof owner === "string" ? { kind: "command", name: owner } : owner);
    try {
      return await work(postgres);
    } finally {
      await postgres.stop();
    }
  } catch (error) {
    throw plainly(error);
  }
}

/** Turns failures that a person can fix into messages. Returns any other error unchanged. */
function plainly(error: unknown): unknown {
  const known = asRefusal(error);
  const failure = known instanceof Refusal ? known.cause : known;
  const why = unusableFor(failure);
  if (why !== undefined) return new CommandError(`DATABASE_URL cannot be used: ${why}`, { cause: error });
  if (!(known instanceof Refusal)) return error;
  const reason = failure instanceof AggregateError ? failure.errors[0] : failure;
  const message = reason instanceof Error ? `${known.message}: ${reason.message}` : known.message;
  return new CommandError(message, { cause: error });
}

function unusableFor(failure: unknown): string | undefined {
  if (failure instanceof NoOwnSessions) return `${failure.message}.`;
  if (failure instanceof URIError) return "what is percent-encoded in it is not UTF-8";
  const state = sqlState(failure) ?? "";
  if (state === "42501")
    return `${(failure as Error).message}. This command needs the role of the database's owner. Use its URL in DATABASE_URL.`;
  // Wrong credentials, or an unknown database.
  return state.startsWith("28") || state === "3D000" ? (failure as Error).message : undefined;
}

/** Works on a single connection without a time limit for statements. */
export async function onDatabase<T>(connection: pg.ClientConfig, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutMs: 0, onIdleError: () => {} });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/**
 * For commands that only read. With DATABASE_URL they never migrate, because older servers may use the schema, and an
 * export before an upgrade must not be the upgrade. The embedded PostgreSQL has no other users, so any command migrates
 * it.
 */
export function requireSchema(config: Config, { connection, embedded }: Postgres): Promise<void> {
  return embedded ? prepareSchema(config, connection) : requireCurrentSchema(connection);
}

/** Applies missing migrations. If MIGRATE is false and some are missing, throws. */
export async function prepareSchema(config: Config, connection: pg.ClientConfig): Promise<void> {
  await (config.migrate ? mendable(migrate(connection)) : requireCurrentSchema(connection));
}

async function requireCurrentSchema(connection: pg.ClientConfig): Promise<void> {
  const missing = await mendable(missingMigrations(connection));
  if (missing.length > 0) {
    throw new CommandError(
      `The database is missing the migrations ${missing.join(", ")}: run the migrate command first.`,
    );
  }
}

/**
 * Turns the reasons why a database can't be migrated into messages for people: its encoding, its version, its owner.
 */
export async function mendable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (asRefusal(error) !== error || !(error instanceof Error)) throw error;
    // The migration library puts a stack into its message.
    const [reason] = error.message.split("\n", 1);
    throw new CommandError(`The schema cannot be created: ${reason}`, { cause: error });
  }
}

/** Writes messages for people to standard error, because standard output is for results. */
export function tell(message: string): void {
  process.stderr.write(`${message}\n`);
}
