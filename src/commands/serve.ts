import { once } from "node:events";
import type { Config } from "../config/config.ts";
import type { Tls } from "../config/tls.ts";
import { logConsole, openLog } from "../observability/log.ts";
import { version } from "../observability/version.ts";
import { openConsole } from "./console.ts";
import { greeting, warnWithoutOwner } from "./first-minute.ts";
import { startObserving } from "./observe.ts";
import { onPostgres, type Postgres, prepareSchema } from "./postgres.ts";
import { openService, readTls } from "./service.ts";
import { outlastSignals } from "./signals.ts";

/** Serves, and prints how to call the server. Loads the demo world into an empty embedded database. */
export function start(config: Config): Promise<void> {
  return serveUntilStopped(config, true);
}

export function serve(config: Config): Promise<void> {
  return serveUntilStopped(config, false);
}

/**
 * Serves until SIGTERM or SIGINT, then finishes the requests in flight and stops. docs/how-to/deploy.md says how to
 * deploy it.
 */
async function serveUntilStopped(config: Config, greet: boolean): Promise<void> {
  const stopping = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => stopping.abort());

  const tls = await readTls(config);
  const serveOn = config.workers === 1 ? serveAlone : (await import("./serve-with-workers.ts")).serveWithWorkers;
  try {
    await onPostgres(config, { kind: "server" }, (postgres) => serveOn(postgres, config, tls, greet, stopping.signal));
  } finally {
    // A trace collector that doesn't answer must not keep a stopped server alive.
    setTimeout(() => process.exit(), 500).unref();
  }
}

async function serveAlone(
  postgres: Postgres,
  config: Config,
  tls: Tls | undefined,
  greet: boolean,
  stopping: AbortSignal,
): Promise<void> {
  await prepareSchema(config, postgres.connection);
  const operators = openLog(config.logLevel);
  const { log } = operators;
  logConsole(log);
  log.info({ version }, "starting");
  const consoleFiles = await openConsole(config.console, log);
  const observing = await startObserving(config, log);
  const service = await openService({ config, postgres, tls, consoleFiles, operators, observing, stopping });
  try {
    await observing.expose(service.sources);
    const { issuer, audience } = config.jwt ?? {};
    if (issuer !== undefined) log.info({ issuer, audience }, "JWTs of this issuer are accepted");
    const address = { url: await service.listen(), hasConsole: consoleFiles !== undefined };
    outlastSignals();
    if (greet) process.stdout.write(`\n${await greeting(config, postgres, service.database, address)}\n\n`);
    else await warnWithoutOwner(config, service.database, (message) => log.warn(message), stopping);
    if (!stopping.aborted) await once(stopping, "abort");
    log.info("stopping: finishing the requests in flight");
  } finally {
    if (await service.stop()) log.info("stopped");
  }
}
