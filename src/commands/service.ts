import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import { openTls, type Tls } from "../config/tls.ts";
import type { ConsoleFiles } from "../console/console-files.ts";
import { stopServing } from "../http/stop-serving.ts";
import { jwtVerifier } from "../identity/jwt.ts";
import { openTokenUses } from "../identity/token-uses.ts";
import type { OperatorsLog } from "../observability/log.ts";
import { settleAll } from "../postgres/change/settle.ts";
import { readGaugeValues } from "../postgres/check/gauge-values.ts";
import { isCurrent } from "../postgres/migrations/migrations.ts";
import type { ConnectionsOptions } from "../postgres/pool/connections.ts";
import { type Database, openDatabase, type PooledDatabase } from "../postgres/pool/database.ts";
import { checkedFirst } from "../postgres/pool/own-sessions.ts";
import { prepareSession } from "../postgres/pool/session.ts";
import { nameOf, openReplicated, type ReplicatedDatabase } from "../postgres/replicas/replicated-database.ts";
import { postgresStores } from "../postgres/stores.ts";
import { recordTokenUses } from "../postgres/token/token-uses.ts";
import { buildServer } from "../server.ts";
import { CommandError } from "./command-error.ts";
import { listen } from "./listen.ts";
import type { Observing } from "./observe.ts";
import type { Postgres } from "./postgres.ts";
import { regularly } from "./regularly.ts";

/** How long /readyz and scrapes of the metrics wait for Postgres, in milliseconds. */
const probeMs = 1_000;

/** How long storing the last uses of tokens may take, and how long it may keep a server from stopping. */
const flushMs = 10_000;
const lastFlushMs = 2_000;

/** What serves: this process, or its workers. */
export type Serving = {
  readonly database: Database;
  /** Listens on HOST and PORT. Resolves to the URL for people; undefined if the server is stopped before. */
  listen(): Promise<string | undefined>;
  /** Rejects if it can't serve any more. */
  readonly lost?: Promise<never>;
  /** Lets the requests in flight end, and closes everything. Resolves to whether it listened. */
  stop(): Promise<boolean>;
};

export type ServingOptions = {
  readonly config: Config;
  readonly postgres: Postgres;
  readonly tls: Tls | undefined;
  readonly consoleFiles: ConsoleFiles | undefined;
  readonly operators: OperatorsLog;
  /** Aborts when the server starts to stop. */
  readonly stopping: AbortSignal;
};

export async function readTls({ tls }: Config): Promise<Tls | undefined> {
  if (tls === undefined) return undefined;
  return openTls(tls.certFile, tls.keyFile).catch((error: Error) => {
    throw new CommandError(error.message);
  });
}

/** Opens everything that answers requests. It doesn't listen yet. */
export async function openService(options: ServingOptions & { readonly observing: Observing }) {
  const { config, postgres, tls, consoleFiles, operators, observing, stopping } = options;
  const { log } = operators;
  const { requests, replicated, probing } = openDatabases(config, postgres, log);
  const database = observing.watch(replicated ?? requests);
  const tokenUses = openTokenUses(recordTokenUses(database));
  const cutOff = new AbortController();
  const app = await buildServer({
    stores: postgresStores(database, observing.watch(requests)),
    tokenUses,
    verifyJwt: config.jwt && jwtVerifier(config.jwt),
    limits: config,
    publicUrl: config.publicUrl,
    authzenResourceType: config.authzenResourceType,
    mustHaveReasons: config.requireReason,
    corsOrigins: config.corsOrigins,
    serviceAliases: config.serviceAliases,
    standardServices: config.standardServices,
    consoleFiles,
    tls,
    log,
    observer: observing.observer,
    isReady: () => areReady(probing, requests),
    stopping,
    cutOff: cutOff.signal,
  });
  const stopStoring = regularly(
    60_000,
    (signal) => tokenUses.flush(AbortSignal.any([signal, AbortSignal.timeout(flushMs)])),
    (err) => log.warn({ err }, "the last uses of tokens were not stored"),
  );
  const stopSettling = regularly(
    1_000,
    (signal) => settleAll(requests, signal),
    (err) => log.warn({ err }, "the ends of assignments were not written: they are the next time"),
  );
  return {
    database,
    /** What the metrics are read from. */
    sources: {
      pool: { size: config.databasePoolSize, load: requests.load },
      replicas: replicated,
      values: () => readGaugeValues(probing, AbortSignal.timeout(probeMs)),
      lostLines: operators.lost,
      dataDirectory: postgres.embedded ? config.dataDirectory : undefined,
    },
    listen: () => listen(app, config),
    async stop() {
      const served = app.server.listening;
      // A server that never listened has no clients to wait for.
      await stopServing(app, served ? config : { ...config, stopDelayMs: 0 }, cutOff);
      await Promise.all([stopStoring(), stopSettling()]);
      await tokenUses.flush(AbortSignal.timeout(lastFlushMs)).catch((err: unknown) => {
        log.warn({ err }, "the last uses of tokens were not stored");
      });
      await Promise.all([database.close(), probing.close()]);
      await observing.stop();
      return served;
    },
  };
}

function openDatabases(config: Config, postgres: Postgres, log: Logger) {
  const connections = connectionsTo(postgres, config, log);
  postgres.hosts?.watch((url) => {
    log.warn({ host: nameOf({ connectionString: url }) }, "another host is the primary now: requests go there");
  });
  const requests = openDatabase(connections);
  const replicated = openReplicas(config, requests, connections, log);
  // A connection of its own, so that the result doesn't depend on requests that wait for connections.
  const prepare = checkedFirst(postgres.connection, prepareSession);
  return { requests, replicated, probing: openDatabase({ ...connections, poolSize: 1, prepare }) };
}

/** How to connect to Postgres, and how to use the connections. */
export function connectionsTo({ connection, hosts }: Postgres, config: Config, log: Logger): ConnectionsOptions {
  return {
    connection,
    ...(hosts && { hosts }),
    poolSize: config.databasePoolSize,
    longestWaitMs: config.longestWaitMs,
    statementTimeoutMs: config.maximumTimeoutMs + 5_000,
    onIdleError: (err) => log.warn({ err }, "a connection to Postgres broke, or can't be used"),
  };
}

/** The first two come and go under load, many times a second. The metrics count them all. */
const expected = new Set(["behind", "ahead", "primary"]);

/** The database with its replicas. Undefined if none are configured. */
export function openReplicas(
  { databaseReplicaUrls }: Pick<Config, "databaseReplicaUrls">,
  primary: Database,
  options: ConnectionsOptions,
  log: Logger,
): ReplicatedDatabase | undefined {
  if (databaseReplicaUrls.length === 0) return undefined;
  const replicas = databaseReplicaUrls.map((connectionString) => ({ connectionString }));
  return openReplicated({
    primary,
    options,
    replicas,
    onChange(replica, reason, cause) {
      if (reason === undefined) log.debug({ replica }, "a replica is used");
      else if (expected.has(reason)) log.debug({ replica, reason }, "a replica is left out for now");
      else log.warn({ replica, reason, err: cause }, "a replica is left out until it can be used again");
    },
  });
}

/** Whether requests can be answered. Also checks one of their own connections, unless all of them are busy. */
async function areReady(probing: PooledDatabase, requests: PooledDatabase): Promise<boolean> {
  const { idle, connections } = requests.load();
  const asked = idle > 0 || connections === 0 ? [probing, requests] : [probing];
  const signal = AbortSignal.timeout(probeMs);
  const ready = await Promise.all(asked.map((database) => isCurrent(database, signal)));
  return ready.every(Boolean);
}
