import { once } from "node:events";
import type { FastifyInstance } from "fastify";
import type { Config } from "../config/config.ts";
import { stopServing } from "../http/stop-serving.ts";
import { openTls, type Tls } from "../http/tls.ts";
import { jwtVerifier } from "../identity/jwt.ts";
import { openTokenUses, storeRegularly } from "../identity/token-uses.ts";
import { logConsole, openLog } from "../observability/log.ts";
import { readGaugeValues } from "../postgres/check/gauge-values.ts";
import { type Database, openDatabase } from "../postgres/database/database.ts";
import { openDoubts } from "../postgres/database/doubts.ts";
import { isCurrent } from "../postgres/database/migrations.ts";
import { nameOf } from "../postgres/database/replicated-database.ts";
import { postgresStores } from "../postgres/stores.ts";
import { postgresTokenUses } from "../postgres/token/token-uses.ts";
import { buildServer } from "../server.ts";
import { CommandError } from "./command-error.ts";
import { openConsole } from "./console.ts";
import { greeting, warnWithoutOwner } from "./first-minute.ts";
import { startObserving } from "./observe.ts";
import { onPostgres, type Postgres, prepareSchema } from "./postgres.ts";
import { openReplicas } from "./replicas.ts";

/** How long /readyz and scrapes of the metrics wait for Postgres, in milliseconds. */
const probeMs = 1_000;

/**
 * Serves until SIGTERM or SIGINT, then finishes the requests in flight and stops. docs/how-to/deploy.md says how to
 * deploy it.
 *
 * @param greet whether to print how to call the server, and to load the demo world into an empty embedded database
 */
export async function serve(config: Config, { greet }: { greet: boolean }): Promise<void> {
  const stopping = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => stopping.abort());

  const tls = await readTls(config);
  try {
    await onPostgres(config, { kind: "server" }, (postgres) => serveOn(postgres, config, tls, greet, stopping.signal));
  } finally {
    // A trace collector that doesn't answer must not keep a stopped server alive.
    setTimeout(() => process.exit(), 500).unref();
  }
}

async function readTls({ tls }: Config): Promise<Tls | undefined> {
  if (tls === undefined) return undefined;
  return openTls(tls.certFile, tls.keyFile).catch((error: Error) => {
    throw new CommandError(error.message);
  });
}

async function serveOn(
  postgres: Postgres,
  config: Config,
  tls: Tls | undefined,
  greet: boolean,
  stopping: AbortSignal,
): Promise<void> {
  await prepareSchema(config, postgres.connection);
  const { log, lost } = openLog(config.logLevel);
  logConsole(log);
  const consoleFiles = await openConsole(config.console, log);
  const observing = await startObserving(config, log);
  const doubts = openDoubts(postgres.connection, (problem) => {
    if (problem === undefined) log.info("connections to Postgres keep their sessions again: requests are served");
    else log.error({ err: problem }, "no request is served until connections to Postgres keep their sessions");
  });
  const connections = {
    connection: postgres.connection,
    ...(postgres.hosts && { hosts: postgres.hosts }),
    poolSize: config.databasePoolSize,
    longestWaitMs: config.longestWaitMs,
    statementTimeoutMs: config.maximumTimeoutMs + 5_000,
    onIdleError: (error: Error) => log.warn({ err: error }, "an idle connection to Postgres broke"),
    doubts,
  };
  postgres.hosts?.watch((url) => {
    log.warn({ host: nameOf({ connectionString: url }) }, "another host is the primary now: requests go there");
    doubts.raise();
  });
  const requests = openDatabase(connections);
  const replicated = openReplicas(config, requests, connections, log);
  const database = observing.watch(replicated ?? requests);
  // A connection of its own, so that the result doesn't depend on requests that wait for connections.
  const probing = openDatabase({ ...connections, poolSize: 1 });
  const tokenUses = openTokenUses(postgresTokenUses(database));
  const app = await buildServer({
    stores: postgresStores(database),
    tokenUses,
    verifyJwt: config.jwt && jwtVerifier(config.jwt),
    limits: config,
    mustHaveReasons: config.requireReason,
    corsOrigins: config.corsOrigins,
    serviceAliases: config.serviceAliases,
    standardServices: config.standardServices,
    consoleFiles,
    tls,
    log,
    observer: observing.observer,
    isReady: () => areReady(probing, requests),
    queue: () => database.load(),
    stopping,
  });
  const storeLastUses = storeRegularly(tokenUses, (err) =>
    log.warn({ err }, "the last uses of tokens were not stored"),
  );
  try {
    await observing.expose({
      pool: { size: config.databasePoolSize, load: requests.load },
      replicas: replicated,
      values: () => readGaugeValues(probing, AbortSignal.timeout(probeMs)),
      lostLines: lost,
      dataDirectory: postgres.embedded ? config.dataDirectory : undefined,
    });
    const { issuer, audience } = config.jwt ?? {};
    if (issuer !== undefined) log.info({ issuer, audience }, "JWTs of this issuer are accepted");
    const address = { url: await listen(app, config), hasConsole: consoleFiles !== undefined };
    if (greet) process.stdout.write(`\n${await greeting(config, postgres, database, address)}\n\n`);
    else await warnWithoutOwner(config, database, (message) => log.warn(message), stopping);
    if (!stopping.aborted) await once(stopping, "abort");
    log.info("stopping: finishing the requests in flight");
  } finally {
    const served = app.server.listening;
    // A server that never listened has no clients to wait for.
    await stopServing(app, served ? config : { ...config, stopDelayMs: 0 });
    await storeLastUses();
    await Promise.all([database.close(), probing.close()]);
    await observing.stop();
    if (served) log.info("stopped");
  }
}

/** Whether requests can be answered. Also checks one of their own connections, unless all of them are busy. */
async function areReady(probing: Database, requests: Database): Promise<boolean> {
  const { idle, connections } = requests.load();
  const asked = idle > 0 || connections === 0 ? [probing, requests] : [probing];
  const signal = AbortSignal.timeout(probeMs);
  const ready = await Promise.all(asked.map((database) => isCurrent(database, signal)));
  return ready.every(Boolean);
}

/**
 * How many connections the system queues until they are accepted. The system may have a lower limit. A client whose
 * connection doesn't fit hears nothing for a second or more, while an accepted connection is served or refused at once.
 */
const mostUnaccepted = 4_096;

async function listen(app: FastifyInstance, { host, port, tls }: Config): Promise<string> {
  const scheme = tls === undefined ? "http" : "https";
  const listenTextResolver = (url: string) => `Server listening at ${url.replace(/^http/, scheme)}`;
  try {
    await app.listen({ host, port, backlog: mostUnaccepted, listenTextResolver });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new CommandError(
      code === "EADDRINUSE"
        ? `${host}:${port} is already in use: choose another port with PORT.`
        : `The server can't listen on HOST and PORT: ${message}`,
    );
  }
  const address = app.server.address();
  const bound = typeof address === "object" ? (address?.port ?? port) : port;
  const shown = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return `${scheme}://${shown}:${bound}`;
}
