import type { ConnectRouter, ConnectRouterOptions } from "@connectrpc/connect";
import type { Credentials } from "../identity/authenticate.ts";
import type { CallerStore } from "../identity/store.ts";
import { withBoundedBody } from "./body/bounded-body.ts";
import { withMalformedRefused } from "./body/malformed.ts";
import { requireValidRequest } from "./body/validation.ts";
import { renewCaller, requireCaller } from "./door/caller.ts";
import { type TimeLimits, withDeadline } from "./door/deadline.ts";
import type { FairShare } from "./door/fair-share.ts";
import type { Log, Observer } from "./door/observer.ts";
import { countRequests, type RateLimit } from "./door/rate-limit.ts";
import { answerRefusals } from "./door/refusals.ts";
import { countRows, withObservation } from "./door/tell-observer.ts";
import { withListJson, writeListJson } from "./messages/list-json.ts";
import type { PageLimits } from "./messages/page.ts";
import { type Answering, addServices } from "./services.ts";

export type Stores = Answering & { readonly callers: CallerStore };

export type Limits = PageLimits &
  TimeLimits & {
    readonly maximumRequestBytes: number;
    /** Undefined: a caller may ask as often as it likes. */
    readonly rateLimit?: RateLimit | undefined;
  };

/** Every set field is written, also when it is empty or zero; a misspelt one and broken UTF-8 are refused. */
export const jsonOptions = {
  alwaysEmitImplicit: true,
  ignoreUnknownFields: false,
  textDecoder: new TextDecoder("utf-8", { fatal: true }),
};

/** How Connect serves us: one protocol, strict about what it reads, complete in what it writes. */
export function connectOptions(
  credentials: Credentials,
  limits: Limits,
  { share, log }: { share: FairShare; log: Log },
): ConnectRouterOptions {
  const countRequest = limits.rateLimit && countRequests(limits.rateLimit);
  return {
    grpc: false,
    grpcWeb: false,
    requireConnectProtocolHeader: true,
    requestGate: requireCaller(credentials, { countRequest, share, log }),
    interceptors: [answerRefusals(log), writeListJson, countRows, requireValidRequest, renewCaller(credentials)],
    maxTimeoutMs: limits.maximumTimeoutMs,
    readMaxBytes: limits.maximumRequestBytes,
    jsonOptions,
    // A field that is not known takes two bytes and would be kept as an object.
    binaryOptions: { readUnknownFields: false },
  };
}

/** Registers every service. */
export function addRoutes(
  router: ConnectRouter,
  stores: Stores,
  limits: Limits,
  { share, observer, log }: { share: FairShare; observer?: Observer | undefined; log: Log },
): void {
  addServices(router, stores, limits);
  for (const [index, handler] of router.handlers.entries()) {
    const inTime = withDeadline(
      share.wrap(withBoundedBody(withMalformedRefused(withListJson(handler)), limits.maximumRequestBytes, share)),
      limits,
    );
    router.handlers[index] = observer === undefined ? inTime : withObservation(inTime, observer, log);
  }
}
