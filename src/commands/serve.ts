import { once } from "node:events";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import type { Config } from "../config.ts";
import { postgresAuthorizations } from "../postgres/authorization-store.ts";
import { postgresCallers, postgresTokens } from "../postgres/caller-store.ts";
import { type Database, openDatabase } from "../postgres/database.ts";
import { postgresDirectory } from "../postgres/directory-store.ts";
import { isCurrent, migrate, missingMigrations } from "../postgres/migrations.ts";
import { buildServer } from "../server.ts";
import { CommandError } from "./command-error.ts";
import { howToMakeToken, loadDemo } from "./first-minute.ts";
import { openPostgres, type Postgres } from "./postgres.ts";

/** How long requests in flight may take once the server is told to stop, in milliseconds. */
const stopGraceMs = 10_000;

/**
 * Serves until SIGTERM or SIGINT, then finishes what is in flight and stops.
 *
 * @param greet prints how to call the server; on an empty embedded database it loads the demo world first
 */
export async function serve(config: Config, { greet }: { greet: boolean }): Promise<void> {
  const stopping = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => stopping.abort());

  const postgres = await openPostgres(config, { kind: "server" });
  try {
    await prepareSchema(config, postgres);
    const log = pino({ level: config.logLevel }, process.stderr);
    const database = openDatabase({
      connection: postgres.connection,
      poolSize: config.databasePoolSize,
      statementTimeoutMs: config.maximumTimeoutMs + 5_000,
      onIdleError: (error) => log.warn({ err: error }, "an idle connection to Postgres broke"),
    });
    const app = await buildServer({
      stores: { authorizations: postgresAuthorizations(database), callers: postgresCallers(database) },
      limits: config,
      corsOrigins: config.corsOrigins,
      log,
      isReady: () => isCurrent(database, AbortSignal.timeout(2_000)),
    });
    try {
      const url = await listen(app, config);
      if (greet) process.stdout.write(`\n${await greeting(config, postgres, database, url)}\n\n`);
      else log.info({ url }, "serving");
      if (!stopping.signal.aborted) await once(stopping.signal, "abort");
    } finally {
      await Promise.race([app.close(), new Promise((resolve) => setTimeout(resolve, stopGraceMs).unref())]);
      await database.close();
    }
  } finally {
    await postgres.stop();
  }
}

async function prepareSchema(config: Config, { connection }: Postgres): Promise<void> {
  if (config.migrate) {
    await migrate(connection);
    return;
  }
  const missing = await missingMigrations(connection);
  if (missing.length > 0) {
    throw new CommandError(
      `MIGRATE is false and the schema lacks ${missing.join(", ")}: run the migrate command first.`,
    );
  }
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") {
      throw new CommandError(`Something listens on ${host}:${port} already: choose another port with PORT.`);
    }
    throw error;
  }
  const address = app.server.address();
  const bound = typeof address === "object" ? (address?.port ?? port) : port;
  const shown = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return `http://${shown}:${bound}`;
}

async function greeting(config: Config, postgres: Postgres, database: Database, url: string): Promise<string> {
  const directory = postgresDirectory(postgres.connection);
  const where = postgres.embedded ? `PostgreSQL in ${config.dataDirectory}` : "PostgreSQL at DATABASE_URL";
  const loadsDemo = postgres.embedded && config.demo && (await directory.isEmpty());
  const help = loadsDemo
    ? await loadDemo(directory, postgresTokens(database), url)
    : howToMakeToken(await directory.findInstanceOwner(), url);
  return `The authorization service answers at ${url}, with ${where}. Ctrl-C stops it.\n\n${help}`;
}
