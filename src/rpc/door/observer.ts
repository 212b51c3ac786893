import type { IncomingHttpHeaders } from "node:http";
import { type ContextValues, createContextKey } from "@connectrpc/connect";

/** Where operators read what went wrong. */
export type Log = {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
};

/** How a request was answered: `ok` or Connect's code, the reason where there is one, and the HTTP status. */
export type Outcome = { readonly code: string; readonly reason: string | undefined; readonly status: number };

/** One RPC under way. What becomes known on the way is written into it. */
export type Observation = {
  /** The id of the user who asks. */
  caller: string | undefined;
  /** How many rows a list answers. */
  rows: number | undefined;
  /** Where the faults of this request are logged. */
  readonly log: Log;
  /** Runs the work of the request, so that what is done for it can be told from the rest. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** The answer is known. Called once. */
  end(outcome: Outcome): void;
};

/** Learns what callers ask and are answered. */
export type Observer = {
  begin(rpc: string, headers: IncomingHttpHeaders, log: Log): Observation;
};

const logKey = createContextKey<Log | undefined>(undefined);
const observationKey = createContextKey<Observation | undefined>(undefined);

/** What a request starts with: the log whose lines carry its id, and how it is observed. */
export function beginWith(values: ContextValues, log: Log, observation: Observation | undefined): void {
  values.set(logKey, log).set(observationKey, observation);
}

export function logOf(values: ContextValues): Log {
  const log = values.get(logKey);
  if (log === undefined) throw new Error("a request came without its log");
  return log;
}

export function observationOf(values: ContextValues): Observation | undefined {
  return values.get(observationKey);
}

/** Code and reason of an error in Connect's JSON. */
export function codeAndReason(error: unknown): { code: string; reason: string | undefined } {
  const { code, details } = error as { code: string; details?: { type: string; debug?: { reason?: string } }[] };
  return { code, reason: details?.find(({ type }) => type === "google.rpc.ErrorInfo")?.debug?.reason };
}
