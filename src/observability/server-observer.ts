import type { FastifyBaseLogger } from "fastify";
import type { Observation, Observer, Outcome } from "../rpc/door/observer.ts";
import { fewLines } from "./few-lines.ts";
import type { Metrics } from "./metrics.ts";
import type { Tracing } from "./tracing.ts";

/** A request that reached no RPC. */
export type Refused = Omit<Outcome, "reason"> & {
  readonly reason?: string | undefined;
  readonly log: FastifyBaseLogger;
};

export type ServerObserver = Observer & {
  /** A request was refused before it reached an RPC: nothing is at its path, its method is wrong, there are too many. */
  refused(refused: Refused): void;
  /** What came was no HTTP, or came too slowly, or its connection broke; with Node's code for it. */
  unreadable(error: string | undefined): void;
};

export type Observers = {
  readonly log: FastifyBaseLogger;
  /** Undefined: nothing is counted. */
  readonly metrics?: Metrics | undefined;
  /** Undefined: nothing is traced. */
  readonly tracing?: Tracing | undefined;
};

/** The name that stands for every path that is none of ours. */
export const noRpc = "none";

/** Writes one line for each request when its answer is known, counts it, and traces it. */
export function serverObserver({ log, metrics, tracing }: Observers): ServerObserver {
  const limited = fewLines(log);
  return {
    begin(rpc, headers, requestLog) {
      const started = performance.now();
      const span = tracing?.begin(rpc, headers);
      const own = (
        span === undefined ? requestLog : (requestLog as FastifyBaseLogger).child(span.ids)
      ) as FastifyBaseLogger;
      metrics?.began();
      const observation: Observation = {
        caller: undefined,
        rows: undefined,
        log: own,
        run: (work) => (span === undefined ? work() : span.run(work)),
        end(outcome) {
          const ms = performance.now() - started;
          metrics?.ended();
          metrics?.answered(rpc, outcome, ms / 1_000);
          span?.end(outcome);
          const { caller, rows } = observation;
          own.info({ rpc, caller, ...outcome, durationMs: rounded(ms), rows }, "answered");
        },
      };
      return observation;
    },
    refused({ log: requestLog, ...outcome }) {
      metrics?.answered(noRpc, outcome);
      limited(requestLog, { rpc: noRpc, ...outcome }, "refused");
    },
    unreadable(error) {
      metrics?.answered(noRpc, { code: "invalid_argument", reason: "UNREADABLE" });
      limited(log, { rpc: noRpc, reason: "UNREADABLE", error }, "refused");
    },
  };
}

/** To the microsecond: more digits only make lines longer. */
function rounded(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}
