import { Counter, Gauge, type Registry } from "prom-client";
import type { ReplicaStatus } from "../postgres/replicas/replica-status.ts";

/** Where reads are answered. */
export type Replicas = { replicas(): readonly ReplicaStatus[]; answeredByPrimary(): number };

/** Adds the metrics of replicas. Their label `replica` is an address from the configuration. */
export function addReplicas(registry: Registry, { replicas, answeredByPrimary }: Replicas): void {
  gauge("min", "used", "1 while the replica is used, 0 while it is left out", ({ leftOut }) =>
    leftOut === undefined ? 1 : 0,
  );
  gauge("max", "lag_bytes", "Bytes of the primary's log that the replica had not replayed", ({ lagBytes }) => lagBytes);
  new Gauge({
    name: "authorization_replica_left_out",
    help: "1 while the replica is left out, by reason",
    labelNames: ["replica", "reason"],
    aggregator: "max",
    registers: [registry],
    collect() {
      this.reset();
      for (const { name, leftOut } of replicas()) if (leftOut) this.set({ replica: name, reason: leftOut }, 1);
    },
  });
  new Counter({
    name: "authorization_reads_total",
    help: "Statements that only read, by the server that answered them: primary, or a replica",
    labelNames: ["server"],
    registers: [registry],
    collect() {
      this.reset();
      this.inc({ server: "primary" }, answeredByPrimary());
      for (const { name, answered } of replicas()) this.inc({ server: name }, answered);
    },
  });
  new Counter({
    name: "authorization_replica_returned_total",
    help: "Statements that the replica could not answer, so the primary did, by reason",
    labelNames: ["replica", "reason"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { name, returned } of replicas()) {
        for (const [reason, count] of returned) this.inc({ replica: name, reason }, count);
      }
    },
  });

  /** @param aggregator how the values of several workers become one */
  function gauge(
    aggregator: "min" | "max",
    name: string,
    help: string,
    read: (status: ReplicaStatus) => number | undefined,
  ): void {
    new Gauge({
      name: `authorization_replica_${name}`,
      help,
      labelNames: ["replica"],
      aggregator,
      registers: [registry],
      collect() {
        this.reset();
        for (const status of replicas()) {
          const value = read(status);
          if (value !== undefined) this.set({ replica: status.name }, value);
        }
      },
    });
  }
}
