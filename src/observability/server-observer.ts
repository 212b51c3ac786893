import type { FastifyBaseLogger } from "fastify";
import type { CallOutcome, Observation, Observer, ProtocolName } from "../rpc/observer.ts";
import { fewLines } from "./few-lines.ts";
import type { Metrics } from "./metrics.ts";
import type { Tracing } from "./tracing.ts";

/** A request that reached no RPC. */
type Refused = CallOutcome & { readonly protocol: ProtocolName; readonly log: FastifyBaseLogger };

export type ServerObserver = Observer & {
  /** A request was refused before it reached an RPC: unknown path, wrong method, too many requests. */
  refused(refused: Refused): void;
  /** The input was not HTTP, or too slow, or its connection broke; with Node's error code. */
  unreadable(error: string | undefined): void;
};

type Observers = {
  readonly log: FastifyBaseLogger;
  /** How many processes serve together. */
  readonly processes?: number;
  /** Undefined: no metrics. */
  readonly metrics?: Metrics | undefined;
  /** Undefined: no traces. */
  readonly tracing?: Tracing | undefined;
};

/** The name for all unknown paths, and the protocol of what is not even HTTP. */
const none = "none";

/** Logs, counts and traces each request once its answer is known. */
export function serverObserver({ log, processes, metrics, tracing }: Observers): ServerObserver {
  const limited = fewLines(log, processes);
  return {
    begin(rpc, protocol, headers, requestLog) {
      const started = performance.now();
      const span = tracing?.begin(rpc, protocol, headers);
      const own = (
        span === undefined ? requestLog : (requestLog as FastifyBaseLogger).child(span.ids)
      ) as FastifyBaseLogger;
      metrics?.began();
      const observation: Observation = {
        caller: undefined,
        unacceptable: undefined,
        change: undefined,
        log: own,
        run: (work) => (span === undefined ? work() : span.run(work)),
        end(outcome) {
          const ms = performance.now() - started;
          metrics?.ended();
          metrics?.answered(rpc, protocol, outcome, ms / 1_000);
          span?.end(outcome);
          const { caller, unacceptable, change } = observation;
          const made = outcome.code === "ok" ? { change } : {};
          // More digits than microseconds only make lines longer.
          const durationMs = Math.round(ms * 1_000) / 1_000;
          own.info({ rpc, protocol, caller, unacceptable, ...made, ...outcome, durationMs }, "answered");
        },
      };
      return observation;
    },
    opened(rpc, protocol, requestLog) {
      metrics?.opened(rpc);
      return ({ code, reason, caller }) => {
        metrics?.closed(rpc);
        // Watching ends when the client has seen enough.
        if (code === "ok" || code === "canceled")
          return (requestLog as FastifyBaseLogger).debug({ rpc, protocol, caller, code }, "answered");
        metrics?.answered(rpc, protocol, { code, reason });
        return limited(requestLog as FastifyBaseLogger, { rpc, protocol, caller, code, reason }, "refused");
      };
    },
    refused({ log: requestLog, protocol, ...outcome }) {
      metrics?.answered(none, protocol, outcome);
      limited(requestLog, { rpc: none, protocol, ...outcome }, "refused");
    },
    unreadable(error) {
      metrics?.answered(none, none, { code: "invalid_argument", reason: "UNREADABLE" });
      limited(log, { rpc: none, reason: "UNREADABLE", error }, "refused");
    },
  };
}
