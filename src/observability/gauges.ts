import { statfs } from "node:fs/promises";
import { totalmem } from "node:os";
import { Counter, Gauge, type Registry } from "prom-client";
import type { GaugeValues } from "../postgres/check/gauge-values.ts";
import type { Database } from "../postgres/pool/database.ts";
import type { ReplicaStatus } from "../postgres/replicas/replica-status.ts";
import { version } from "./version.ts";

/** Values that are read for each scrape. */
export type Sources = {
  /** Undefined if this process has no pool for requests. */
  readonly pool?: { readonly size: number; readonly load: Database["load"] } | undefined;
  /** Where reads are answered. Undefined if there are no replicas. */
  readonly replicas?: { replicas(): readonly ReplicaStatus[]; answeredByPrimary(): number } | undefined;
  /** Numbers from the database. Rejects if it doesn't answer in time. Undefined if another process reads them. */
  readonly values?: (() => Promise<GaugeValues>) | undefined;
  readonly lostLines: () => number;
  /** Undefined if this process serves alone. */
  readonly workers?: WorkerCounts | undefined;
  /** The folder of the embedded Postgres; undefined if Postgres keeps its files elsewhere. */
  readonly dataDirectory: string | undefined;
};

/** The workers of a server. */
export type WorkerCounts = { readonly serving: () => number; readonly deaths: ReadonlyMap<string, number> };

/** Adds the metrics that are read for each scrape. The result reads those that take a moment. */
export function addGauges(
  registry: Registry,
  { pool, replicas, values, lostLines, workers, dataDirectory }: Sources,
): () => Promise<void> {
  const gauge = (name: string, help: string, read: () => number | undefined) =>
    addRead(registry, "gauge", { name, help }, () => [[read()]]);
  const memory = "Memory that the process may use: the limit of its container, otherwise what the machine has";
  // Node reports 0, or more than the machine has, if nothing limits the process.
  const memoryLimit = Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem());
  addRead(registry, "gauge", { name: "memory_limit_bytes", help: memory, aggregator: "max" }, () => [[memoryLimit]]);
  const build = { help: "1, with the version of the service", labelNames: ["version"], aggregator: "max" } as const;
  addRead(registry, "gauge", { name: "build_info", ...build }, () => [[1, { version }]]);
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

/** Adds the metrics of replicas. Their label `replica` is an address from the configuration. */
function addReplicas(registry: Registry, { replicas, answeredByPrimary }: NonNullable<Sources["replicas"]>): void {
  const used = "1 while the replica is used, 0 while it is left out";
  const labelNames = ["replica"];
  addRead(registry, "gauge", { name: "replica_used", help: used, labelNames, aggregator: "min" }, () =>
    replicas().map(({ name, leftOut }) => [leftOut === undefined ? 1 : 0, { replica: name }]),
  );
  const lag = "Bytes of the primary's log that the replica had not replayed";
  addRead(registry, "gauge", { name: "replica_lag_bytes", help: lag, labelNames, aggregator: "max" }, () =>
    replicas().map(({ name, lagBytes }) => [lagBytes, { replica: name }]),
  );
  const byReason = { labelNames: ["replica", "reason"] };
  const left = { help: "1 while the replica is left out, by reason", aggregator: "max" } as const;
  addRead(registry, "gauge", { name: "replica_left_out", ...left, ...byReason }, () =>
    replicas().flatMap(({ name, leftOut }) => (leftOut ? [[1, { replica: name, reason: leftOut }] as const] : [])),
  );
  const reads = "Statements that only read, by the server that answered them: primary, or a replica";
  addRead(registry, "counter", { name: "reads_total", help: reads, labelNames: ["server"] }, () => [
    [answeredByPrimary(), { server: "primary" }],
    ...replicas().map(({ name, answered }) => [answered, { server: name }] as const),
  ]);
  const returned = "Statements that the replica could not answer, so the primary did, by reason";
  addRead(registry, "counter", { name: "replica_returned_total", help: returned, ...byReason }, () =>
    replicas().flatMap(({ name, returned }) =>
      [...returned].map(([reason, count]) => [count, { replica: name, reason }] as const),
    ),
  );
}

/** A value that is read for each scrape, with its labels. Undefined is left out. */
type Value = readonly [value: number | undefined, labels?: Readonly<Record<string, string>>];

type Metric = {
  /** Without the prefix of all metrics. */
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  /** How the values of several workers become one; by default, their sum. */
  readonly aggregator?: "min" | "max";
};

/** Adds a metric whose values are read for each scrape. What is no longer there is left out: an old value would look fresh. */
function addRead(registry: Registry, kind: "counter" | "gauge", metric: Metric, read: () => Iterable<Value>) {
  function collect(this: Counter | Gauge): void {
    this.reset();
    // Without labels, it would now be 0.
    if (metric.labelNames === undefined) this.remove();
    for (const [value, labels = {}] of read()) {
      if (value === undefined) continue;
      if (this instanceof Gauge) this.set(labels, value);
      else this.inc(labels, value);
    }
  }
  const configuration = { ...metric, name: `authorization_${metric.name}`, registers: [registry], collect };
  if (kind === "gauge") new Gauge(configuration);
  else new Counter(configuration);
}
