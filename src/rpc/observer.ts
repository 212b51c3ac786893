import type { IncomingHttpHeaders } from "node:http";

/** The log for operators. */
export type Log = {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
};

/** The wire protocol of a request; `json` for what isn't an RPC. */
export type ProtocolName = "connect" | "grpc" | "grpc_web" | "json";

/** The protocol that a content type belongs to, also one that is refused. */
export function protocolOf(contentType: string | undefined): ProtocolName {
  const [, web] = /^application\/grpc(-web)?(?:$|[^\w-])/i.exec(contentType ?? "") ?? ["", "none"];
  if (web === "none") return "connect";
  return web === undefined ? "grpc" : "grpc_web";
}

/** How a request was answered: `ok` or Connect's code, the reason if there is one, and the HTTP status. */
export type CallOutcome = { readonly code: string; readonly reason: string | undefined; readonly status: number };

/** One RPC in flight. It collects what becomes known on the way. */
export type Observation = {
  /** The caller's user id. */
  caller: string | undefined;
  /** What is wrong with the credentials. Callers don't learn it. */
  unacceptable: string | undefined;
  /** The request id of the events of a change. */
  change: string | undefined;
  /** Where the faults of this request are logged. */
  readonly log: Log;
  /** Runs the work of the request, so that its statements can be attributed to it. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Called once, when the answer is known. */
  end(outcome: CallOutcome): void;
};

/** Observes requests and their answers. */
export type Observer = {
  begin(rpc: string, protocol: ProtocolName, headers: IncomingHttpHeaders, log: Log): Observation;
  /**
   * A stream, or a call of one of gRPC's own services, has begun. It may last, so its time is not measured.
   *
   * @returns a function to call once it has ended
   */
  opened(
    rpc: string,
    protocol: ProtocolName,
    log: Log,
  ): (outcome: CallOutcome & { caller: string | undefined }) => void;
};
