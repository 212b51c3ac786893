import { Counter, Gauge, type Registry } from "prom-client";
import type { GaugeValues } from "../postgres/gauge-values.ts";

/** What is read when somebody asks for the metrics. */
export type Sources = {
  readonly pool: { readonly size: number; readonly load: () => PoolLoad };
  /** Numbers of the database; rejects when it does not answer in time. */
  readonly values: () => Promise<GaugeValues>;
  readonly lostLines: () => number;
};

export type PoolLoad = { readonly connections: number; readonly idle: number; readonly waiting: number };

/** Adds what is read at a scrape. Resolves a call of what it gives when everything that needs Postgres is read. */
export function addGauges(registry: Registry, { pool, values, lostLines }: Sources): () => Promise<void> {
  const registers = [registry];
  gauge("authorization_pool_size", "Connections to Postgres that requests may have open at most", () => pool.size);
  gauge("authorization_pool_connections", "Connections to Postgres that are open", () => pool.load().connections);
  gauge("authorization_pool_idle", "Open connections that nobody uses", () => pool.load().idle);
  gauge("authorization_pool_waiting", "Requests that wait for a connection", () => pool.load().waiting);
  new Counter({
    name: "authorization_log_lines_lost_total",
    help: "Log lines thrown away because standard error was not read fast enough",
    registers,
    collect() {
      this.reset();
      this.inc(lostLines());
    },
  });
  return addFigures(registry, values);

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

/** Reads the numbers of the database anew. While it does not answer they are left out: an old one would look fresh. */
function addFigures(registry: Registry, read: () => Promise<GaugeValues>): () => Promise<void> {
  const registers = [registry];
  const up = new Gauge({
    name: "authorization_database_up",
    help: "1 when Postgres answered for this scrape in time, otherwise 0",
    registers,
  });
  const events = new Counter({
    name: "authorization_events_total",
    help: "The highest sequence of an event in the database",
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
    events.inc(values.lastEvent);
    authorizations.set({ state: "active" }, values.active);
    authorizations.set({ state: "inactive" }, values.inactive);
  };
}
