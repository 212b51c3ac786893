import type { Registry } from "prom-client";
import type { ReplicaStatus } from "../postgres/replicas/replica-status.ts";
import { addRead } from "./read-metric.ts";

/** Where reads are answered. */
export type Replicas = { replicas(): readonly ReplicaStatus[]; answeredByPrimary(): number };

/** Adds the metrics of replicas. Their label `replica` is an address from the configuration. */
export function addReplicas(registry: Registry, { replicas, answeredByPrimary }: Replicas): void {
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
