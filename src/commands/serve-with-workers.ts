import { once } from "node:events";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import type { Tls } from "../config/tls.ts";
import type { WorkerCounts } from "../observability/gauges.ts";
import { logConsole, openLog } from "../observability/log.ts";
import type { MergedMetrics, MetricList } from "../observability/merged-metrics.ts";
import { version } from "../observability/version.ts";
import { readGaugeValues } from "../postgres/check/gauge-values.ts";
import { type Database, openDatabase } from "../postgres/pool/database.ts";
import { CannotServe, openWorkers, type RunningWorker, type Workers } from "../workers/workers.ts";
import { CommandError } from "./command-error.ts";
import { openConsole } from "./console.ts";
import { greeting, warnWithoutOwner } from "./first-minute.ts";
import { startObserving } from "./observe.ts";
import { type Postgres, prepareSchema } from "./postgres.ts";
import { outlastSignals } from "./signals.ts";

/** How long Postgres may take to answer, and a worker to say what it has counted, in milliseconds. */
const patienceMs = 1_000;

/** How long a worker may take to stop, beyond its grace for requests: it stores uses of tokens and sends traces. */
const lastMs = 5_000;

/**
 * Serves one port with several processes. This one does what is done once: it prepares Postgres, starts and replaces the
 * workers, and serves the metrics. It answers no requests.
 */
export async function serveWithWorkers(
  postgres: Postgres,
  config: Config,
  _tls: Tls | undefined,
  greet: boolean,
  stopping: AbortSignal,
): Promise<void> {
  await prepareSchema(config, postgres.connection);
  const { log, lost } = openLog(config.logLevel, true);
  logConsole(log);
  log.info({ version }, "starting");
  const hasConsole = (await openConsole(config.console, log)) !== undefined;
  const observing = await startObserving({ metrics: config.metrics, traces: undefined }, log);
  const merged = config.metrics && (await import("../observability/merged-metrics.ts")).mergeMetrics();
  const database = openOwnDatabase(postgres, config, log);
  const workers = openWorkers({
    count: config.workers,
    main: join(import.meta.dirname, "../main.ts"),
    args: ["worker"],
    begin: postgres.embedded ? { embedded: postgres.connection } : {},
    leave: ({ number }) => merged?.end(number),
    log,
  });
  let served = false;
  try {
    const sources = {
      values: () => readGaugeValues(database, AbortSignal.timeout(patienceMs)),
      lostLines: lost,
      workers: countsOf(workers),
      dataDirectory: postgres.embedded ? config.dataDirectory : undefined,
    };
    await observing.expose(sources, merged && ((own) => allMetrics(workers, merged, own)));
    const { issuer, audience } = config.jwt ?? {};
    if (issuer !== undefined) log.info({ issuer, audience }, "JWTs of this issuer are accepted");
    const aborted = stopping.aborted ? Promise.resolve() : once(stopping, "abort");
    const url = await orStopped(workers.started, aborted);
    if (url !== undefined) {
      served = true;
      outlastSignals();
      log.info({ workers: config.workers }, `Server listening at ${url}`);
      const address = { url, hasConsole };
      if (greet) process.stdout.write(`\n${await greeting(config, postgres, database, address)}\n\n`);
      else await warnWithoutOwner(config, database, (message) => log.warn(message), stopping);
      await Promise.race([aborted, workers.lost]);
    }
    if (served) log.info("stopping: finishing the requests in flight");
  } catch (error) {
    throw error instanceof CannotServe ? new CommandError(error.message) : error;
  } finally {
    await workers.stop(config.stopDelayMs + config.stopGraceMs + lastMs);
    await database.close();
    await observing.stop();
    if (served) log.info("stopped");
  }
}

/** For what this process asks itself: one connection is enough. */
function openOwnDatabase({ connection, hosts }: Postgres, { maximumTimeoutMs }: Config, log: Logger): Database {
  hosts?.watch(() => {});
  return openDatabase({
    ...{ connection, ...(hosts && { hosts }), poolSize: 1, statementTimeoutMs: maximumTimeoutMs + 5_000 },
    onIdleError: (err) => log.warn({ err }, "a connection to Postgres broke, or can't be used"),
  });
}

/** Undefined if the server is stopped before. */
function orStopped<T>(work: Promise<T>, stopped: Promise<unknown>): Promise<T | undefined> {
  return Promise.race([work, stopped.then(() => undefined)]);
}

async function allMetrics(workers: Workers, merged: MergedMetrics, own: MetricList): Promise<string> {
  const serving = workers.running().filter(({ serves }) => serves);
  await Promise.all(serving.map((worker) => readMetrics(worker, merged)));
  return merged.text(own);
}

/** A worker that is busy or gone keeps what it said last. */
async function readMetrics({ number, messages }: RunningWorker, merged: MergedMetrics): Promise<void> {
  const said = once(messages.received, "metrics", { signal: AbortSignal.timeout(patienceMs) });
  await messages.tell("metrics");
  const [list] = await said.catch(() => []);
  if (list !== undefined) merged.keep(number, list as MetricList);
}

function countsOf(workers: Workers): WorkerCounts {
  return { serving: () => workers.running().filter(({ serves }) => serves).length, deaths: workers.deaths };
}
