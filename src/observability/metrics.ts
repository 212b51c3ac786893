import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

export type Metrics = ReturnType<typeof serverMetrics>;

type Outcome = { readonly code: string; readonly reason?: string | undefined };

/** In seconds, from a small list in memory to beyond the default deadline of ten seconds. */
const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const statementBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * Counts what the server does. docs/reference/metrics.md describes each metric. Every label has few values: RPCs, codes,
 * reasons and names of statements, never a path, an id or a text.
 */
export function serverMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: "authorization_request_duration_seconds",
    help: "RPCs answered, by RPC, protocol and code, and how long they took from the request's headers to the answer",
    labelNames: ["rpc", "protocol", "code"],
    buckets: requestBuckets,
    registers,
  });
  const refused = new Counter({
    name: "authorization_refused_total",
    help: "Requests answered with anything but ok, by RPC, protocol, code and reason",
    labelNames: ["rpc", "protocol", "code", "reason"],
    registers,
  });
  const statements = new Histogram({
    name: "authorization_statement_duration_seconds",
    help: "Statements and transactions, and how long they took, including the wait for a connection",
    labelNames: ["statement", "outcome"],
    buckets: statementBuckets,
    registers,
  });
  const inFlight = new Gauge({
    name: "authorization_requests_in_flight",
    help: "RPCs that have begun and are not answered yet",
    registers,
  });
  const openCalls = new Gauge({
    name: "authorization_open_calls",
    help: "Streams, and calls of gRPC's health and reflection services, that are open, by RPC",
    labelNames: ["rpc"],
    registers,
  });

  return {
    registry,

    /** Called when an RPC begins and ends. */
    began: () => inFlight.inc(),
    ended: () => inFlight.dec(),

    /** Called when a stream, or a call of one of gRPC's own services, begins and ends. */
    opened: (rpc: string) => openCalls.inc({ rpc }),
    closed: (rpc: string) => openCalls.dec({ rpc }),

    /** Without seconds for answers that took too little time to count. */
    answered(rpc: string, protocol: string, { code, reason }: Outcome, seconds?: number) {
      if (seconds !== undefined) requests.observe({ rpc, protocol, code }, seconds);
      if (code !== "ok") refused.inc({ rpc, protocol, code, reason: reason ?? "none" });
    },

    /** A statement, or a transaction as a whole, with the time it waited for a connection. */
    queried(statement: string, ok: boolean, seconds: number) {
      statements.observe({ statement, outcome: ok ? "ok" : "failed" }, seconds);
    },
  };
}
