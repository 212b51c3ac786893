import { statfs } from "node:fs/promises";
import { Counter, Gauge, type Registry } from "prom-client";
import type { GaugeValues } from "../postgres/check/gauge-values.ts";
import { addReplicas, type Replicas } from "./replica-gauges.ts";

/** Values that are read for each scrape. */
export type Sources = {
  /** Undefined if this process has no pool for requests. */
  readonly pool?: { readonly size: number; readonly load: () => PoolLoad } | undefined;
  /** Undefined if there are none. */
  readonly replicas?: Replicas | undefined;
  /** Numbers from the database. Rejects if it doesn't answer in time. Undefined if another process reads them. */
  readonly values?: (() => Promise<GaugeValues>) | undefined;
  readonly lostLines: () => number;
  /** Undefined if this process serves alone. */
  readonly workers?: WorkerCounts | undefined;
  /** The folder of the embedded Postgres; undefined if Postgres keeps its files elsewhere. */
  readonly dataDirectory: string | undefined;
};

type PoolLoad = { readonly connections: number; readonly idle: number; readonly waiting: number };

/** The workers of a server. */
export type WorkerCounts = { readonly serving: () => number; readonly deaths: ReadonlyMap<string, number> };

/** Adds the metrics that are read for each scrape. The result reads those that take a moment. */
export function addGauges(
  registry: Registry,
  { pool, replicas, values, lostLines, workers, dataDirectory }: Sources,
): () => Promise<void> {
  const registers = [registry];
  if (pool !== undefined) {
    gauge("authorization_pool_size", "The maximum number of connections to Postgres for requests", () => pool.size);
    gauge("authorization_pool_connections", "Open connections to Postgres", () => pool.load().connections);
    gauge("authorization_pool_idle", "Open connections that are idle", () => pool.load().idle);
    gauge("authorization_pool_waiting", "Requests waiting for a connection", () => pool.load().waiting);
  }
  new Counter({
    name: "authorization_log_lines_lost_total",
    help: "Log lines discarded because standard error was not read fast enough",
    registers,
    collect() {
      this.reset();
      this.inc(lostLines());
    },
  });
  if (replicas !== undefined) addReplicas(registry, replicas);
  if (workers !== undefined) {
    gauge("authorization_workers", "Workers that serve", workers.serving);
    addDeaths(registry, workers);
  }
  const refreshes = values === undefined ? [] : [addDatabaseNumbers(registry, values)];
  if (dataDirectory !== undefined) refreshes.push(addVolume(registry, dataDirectory));
  return async () => {
    await Promise.all(refreshes.map((refresh) => refresh()));
  };

  function gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  }
}

function addDeaths(registry: Registry, { deaths }: WorkerCounts): void {
  new Counter({
    name: "authorization_worker_deaths_total",
    help: "Workers that died, by signal or exit code",
    labelNames: ["how"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [how, count] of deaths) this.inc({ how }, count);
    },
  });
}

/** Reads the numbers from the database. If it doesn't answer, they are left out, because old ones would look fresh. */
function addDatabaseNumbers(registry: Registry, read: () => Promise<GaugeValues>): () => Promise<void> {
  const registers = [registry];
  const up = new Gauge({
    name: "authorization_database_up",
    help: "1 if Postgres answered this scrape in time, otherwise 0",
    registers,
  });
  const events = new Counter({
    name: "authorization_events_total",
    help: "Events ever appended to the history of assignments, archived ones included",
    registers,
  });
  const authorizations = new Gauge({
    name: "authorization_authorizations",
    help: "Authorizations in the database, by state",
    labelNames: ["state"],
    registers,
  });
  return async () => {
    const values = await read().catch(() => undefined);
    up.set(values === undefined ? 0 : 1);
    events.remove();
    authorizations.reset();
    if (values === undefined) return;
    events.inc(values.events);
    authorizations.set({ state: "active" }, values.active);
    authorizations.set({ state: "inactive" }, values.inactive);
  };
}

/**
 * Reads the free space on a folder's volume. If that fails, it is left out, because zero would look like a full volume.
 */
function addVolume(registry: Registry, folder: string): () => Promise<void> {
  const registers = [registry];
  const free = new Gauge({
    name: "authorization_data_volume_free_bytes",
    help: "Free bytes for the embedded Postgres on the volume of DATA_DIR",
    registers,
  });
  const size = new Gauge({
    name: "authorization_data_volume_size_bytes",
    help: "Size of the volume of DATA_DIR",
    registers,
  });
  return async () => {
    const volume = await statfs(folder).catch(() => undefined);
    free.remove();
    size.remove();
    if (volume === undefined) return;
    free.set(volume.bavail * volume.bsize);
    size.set(volume.blocks * volume.bsize);
  };
}
