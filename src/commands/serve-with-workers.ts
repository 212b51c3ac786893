import { once } from "node:events";
import { join } from "node:path";
import type { MergedMetrics, MetricList } from "../observability/merged-metrics.ts";
import { readGaugeValues } from "../postgres/check/gauge-values.ts";
import { openDatabase } from "../postgres/pool/database.ts";
import { openWorkers, type RunningWorker } from "../workers/workers.ts";
import { CommandError } from "./command-error.ts";
import { startObserving } from "./observe.ts";
import { connectionsTo, type Serving, type ServingOptions } from "./service.ts";

/** How long Postgres may take to answer, and a worker to say what it has counted, in milliseconds. */
const patienceMs = 1_000;

/** How long a worker may take to stop, beyond its grace for requests: it stores uses of tokens and sends traces. */
const lastMs = 5_000;

/**
 * Serves one port with several processes. This one does what is done once: it has prepared Postgres, starts and replaces the
 * workers, and serves the metrics. It answers no requests.
 */
export async function openWithWorkers({ config, postgres, operators, stopping }: ServingOptions): Promise<Serving> {
  const { log, lost } = operators;
  const observing = await startObserving({ metrics: config.metrics, traces: undefined }, log);
  const merged = config.metrics && (await import("../observability/merged-metrics.ts")).mergeMetrics();
  postgres.hosts?.watch(() => {});
  // For what this process asks itself, one connection is enough.
  const database = openDatabase({ ...connectionsTo(postgres, config, log), poolSize: 1 });
  const workers = openWorkers({
    count: config.workers,
    main: join(import.meta.dirname, "../main.ts"),
    args: ["worker"],
    begin: postgres.embedded ? { embedded: postgres.connection } : {},
    leave: ({ number }) => merged?.end(number),
    log,
  });
  let served = false;
  return {
    database,
    async listen() {
      const sources = {
        values: () => readGaugeValues(database, AbortSignal.timeout(patienceMs)),
        lostLines: lost,
        workers: { serving: () => workers.serving().length, deaths: workers.deaths },
        dataDirectory: postgres.embedded ? config.dataDirectory : undefined,
      };
      const readAll =
        merged &&
        (async (own: MetricList) => {
          await Promise.all(workers.serving().map((worker) => readMetrics(worker, merged)));
          return merged.text(own);
        });
      await observing.expose(sources, readAll);
      const aborted = stopping.aborted ? Promise.resolve() : once(stopping, "abort");
      const url = await Promise.race([orExplain(workers.started), aborted.then(() => undefined)]);
      served = url !== undefined;
      if (served) log.info({ workers: config.workers }, `Server listening at ${url}`);
      return url;
    },
    lost: orExplain(workers.lost),
    async stop() {
      await workers.stop(config.stopDelayMs + config.stopGraceMs + lastMs);
      await database.close();
      await observing.stop();
      return served;
    },
  };
}

/** No worker can serve: a person can find out why. */
function orExplain<T>(work: Promise<T>): Promise<T> {
  const explained = work.catch((error: Error) => {
    throw new CommandError(error.message);
  });
  explained.catch(() => {});
  return explained;
}

/** A worker that is busy or gone keeps what it said last. */
async function readMetrics({ number, messages }: RunningWorker, merged: MergedMetrics): Promise<void> {
  const said = once(messages.received, "metrics", { signal: AbortSignal.timeout(patienceMs) }).catch(() => []);
  // Node holds messages back while the worker has yet to take a connection that was sent before.
  void messages.tell("metrics");
  const [list] = await said;
  if (list !== undefined) merged.keep(number, list as MetricList);
}
