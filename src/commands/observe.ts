import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import type { Sources } from "../observability/gauges.ts";
import type { MetricList } from "../observability/merged-metrics.ts";
import type { Metrics } from "../observability/metrics.ts";
import type { Exposition } from "../observability/metrics-server.ts";
import { observedDatabase } from "../observability/observed-database.ts";
import { serverObserver } from "../observability/server-observer.ts";
import type { Database } from "../postgres/pool/database.ts";
import { cannotListen } from "./listen.ts";

export type Observing = Awaited<ReturnType<typeof startObserving>>;

/**
 * Makes a server's work visible with log lines, metrics and traces, as configured. Modules that are not configured are not
 * loaded, to save time and memory at each start.
 */
export async function startObserving(
  config: Pick<Config, "metrics" | "traces"> & Partial<Pick<Config, "workers">>,
  log: Logger,
) {
  const metrics = config.metrics && (await import("../observability/metrics.ts")).serverMetrics();
  const tracing =
    config.traces && (await (await import("../observability/start-tracing.ts")).startTracing(config.traces, log));
  const isSilent = metrics === undefined && tracing === undefined && !log.isLevelEnabled("info");
  let server: Server | undefined;
  return {
    /** Undefined if nothing is configured that would use it. */
    observer: isSilent ? undefined : serverObserver({ log, processes: config.workers ?? 1, metrics, tracing }),

    /** The same database, observed. */
    watch: (database: Database): Database => observedDatabase(database, { metrics, tracing }),

    /**
     * Serves the metrics if they are configured, including the values of these sources. Resolves to their URL.
     *
     * @param others adds the metrics of workers to those of this process
     */
    async expose(sources: Sources, others?: (own: MetricList) => Promise<string>): Promise<string | undefined> {
      if (config.metrics === undefined || metrics === undefined) return undefined;
      const { registry } = metrics;
      const refresh = await withGauges(metrics, sources);
      const read = async () => {
        await refresh();
        return others === undefined ? registry.metrics() : others(await registry.getMetricsAsJSON());
      };
      server = await listen(config.metrics, { contentType: registry.contentType, read });
      const { family, address, port } = server.address() as AddressInfo;
      const url = `http://${family === "IPv6" ? `[${address}]` : address}:${port}/metrics`;
      log.info(`serving metrics at ${url}`);
      return url;
    },

    /** For a worker, whose metrics another process serves: reads them all. Undefined if they are not configured. */
    async collect(sources: Sources): Promise<(() => Promise<MetricList>) | undefined> {
      if (metrics === undefined) return undefined;
      const refresh = await withGauges(metrics, sources);
      return async () => {
        await refresh();
        return metrics.registry.getMetricsAsJSON();
      };
    },

    /** Sends what is left, then closes everything. */
    async stop(): Promise<void> {
      server?.close();
      server?.closeAllConnections();
      await tracing?.stop();
    },
  };
}

async function withGauges({ registry }: Metrics, sources: Sources): Promise<() => Promise<void>> {
  const { addGauges } = await import("../observability/gauges.ts");
  return addGauges(registry, sources);
}

async function listen({ host, port }: NonNullable<Config["metrics"]>, exposition: Exposition): Promise<Server> {
  const { metricsServer } = await import("../observability/metrics-server.ts");
  const server = metricsServer(exposition);
  try {
    await once(server.listen({ host, port }), "listening");
  } catch (error) {
    throw cannotListen(error as NodeJS.ErrnoException, { host, port }, "METRICS_");
  }
  return server;
}
