import { statfs } from "node:fs/promises";
import type { Registry } from "prom-client";
import type { GaugeValues } from "../postgres/check/gauge-values.ts";
import { addRead } from "./read-metric.ts";
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
  const gauge = (name: string, help: string, read: () => number | undefined) =>
    addRead(registry, "gauge", { name, help }, () => [[read()]]);
  if (pool !== undefined) {
    gauge("pool_size", "The maximum number of connections to Postgres for requests", () => pool.size);
    gauge("pool_connections", "Open connections to Postgres", () => pool.load().connections);
    gauge("pool_idle", "Open connections that are idle", () => pool.load().idle);
    gauge("pool_waiting", "Requests waiting for a connection", () => pool.load().waiting);
  }
  const lost = "Log lines discarded because standard error was not read fast enough";
  addRead(registry, "counter", { name: "log_lines_lost_total", help: lost }, () => [[lostLines()]]);
  if (replicas !== undefined) addReplicas(registry, replicas);
  if (workers !== undefined) {
    gauge("workers", "Workers that serve", workers.serving);
    const deaths = { help: "Workers that died, by signal or exit code", labelNames: ["how"] };
    addRead(registry, "counter", { name: "worker_deaths_total", ...deaths }, () =>
      [...workers.deaths].map(([how, count]) => [count, { how }]),
    );
  }
  const refreshes: (() => Promise<void>)[] = [];
  /** Reads something that several metrics show. If that fails, they are left out, because old or zero values would mislead. */
  const latest = <T>(read: () => Promise<T>) => {
    let known: T | undefined;
    refreshes.push(async () => {
      known = await read().catch(() => undefined);
    });
    return () => known;
  };
  if (values !== undefined) {
    const stored = latest(values);
    gauge("database_up", "1 if Postgres answered this scrape in time, otherwise 0", () => (stored() ? 1 : 0));
    const events = "Events ever appended to the history of assignments, archived ones included";
    addRead(registry, "counter", { name: "events_total", help: events }, () => [[stored()?.events]]);
    const byState = { help: "Authorizations in the database, by state", labelNames: ["state"] };
    addRead(registry, "gauge", { name: "authorizations", ...byState }, () => [
      [stored()?.active, { state: "active" }],
      [stored()?.inactive, { state: "inactive" }],
    ]);
  }
  if (dataDirectory !== undefined) {
    const volume = latest(() => statfs(dataDirectory));
    const bytes = (blocks: "bavail" | "blocks") => () => {
      const found = volume();
      return found && found[blocks] * found.bsize;
    };
    gauge("data_volume_free_bytes", "Free bytes for the embedded Postgres on the volume of DATA_DIR", bytes("bavail"));
    gauge("data_volume_size_bytes", "Size of the volume of DATA_DIR", bytes("blocks"));
  }
  return async () => {
    await Promise.all(refreshes.map((refresh) => refresh()));
  };
}
