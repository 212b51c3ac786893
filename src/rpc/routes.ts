import type { ConnectRouter, ConnectRouterOptions, HandlerContext, Interceptor } from "@connectrpc/connect";
import { AuthorizationService } from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import type { VerifyJwt } from "../identity/jwt.ts";
import type { CallerStore } from "../identity/store.ts";
import { boundedBody } from "./body/bounded-body.ts";
import { refuseMalformed } from "./body/malformed.ts";
import { requireValidRequest } from "./body/validation.ts";
import { renewCaller, requireCaller } from "./door/caller.ts";
import { type TimeLimits, withinDeadline } from "./door/deadline.ts";
import { jsonOptions } from "./door/encoding.ts";
import { type FairShare, fairShare } from "./door/fair-share.ts";
import type { Observer } from "./door/observer.ts";
import { ownJson } from "./door/own-json.ts";
import { countRequests, type RateLimit } from "./door/rate-limit.ts";
import { answerRefusals } from "./door/refusals.ts";
import { behind, type Step } from "./door/step.ts";
import { countRows, tellObserver } from "./door/tell-observer.ts";
import { listJson } from "./messages/list-json.ts";
import type { PageLimits } from "./messages/page.ts";
import { type Answering, addServices } from "./services.ts";

export type Stores = Answering & { readonly callers: CallerStore };

export type Limits = PageLimits &
  TimeLimits & {
    readonly maximumRequestBytes: number;
    readonly maximumInFlight: number;
    /** Undefined: a caller may ask as often as it likes. */
    readonly rateLimit?: RateLimit | undefined;
  };

export type RoutesOptions = {
  readonly stores: Stores;
  /** Undefined: no JWT is accepted. */
  readonly verifyJwt?: VerifyJwt | undefined;
  readonly limits: Limits;
  /** Hears of every request; undefined when nobody wants to know. */
  readonly observer?: Observer | undefined;
};

/** RPCs as Connect takes them. */
export type Rpcs = ConnectRouterOptions & { readonly routes: (router: ConnectRouter) => void };

/** How many of the largest bodies may be held at once. */
const largestAtOnce = 16;

/**
 * Every RPC, and what each of them passes: the steps, the gate and the interceptors, in the order in which a request
 * meets them. Every request brings its log along (contextOfRequest).
 */
export function rpcs({ stores, verifyJwt, limits, observer }: RoutesOptions): Rpcs {
  const credentials = { callers: stores.callers, verifyJwt };
  const countRequest = limits.rateLimit && countRequests(limits.rateLimit);
  const lists = ownJson(AuthorizationService.method.listAuthorizations, listJson);
  return mount({
    add: (router) => addServices(router, stores, limits),
    limits,
    observer,
    gate: (share) => requireCaller(credentials, { countRequest, share }),
    steps: [lists.step],
    interceptors: [lists.interceptor, countRows, requireValidRequest, renewCaller(credentials)],
  });
}

/** What differs from one set of RPCs to another. */
export type Mounting = Pick<RoutesOptions, "observer"> & {
  readonly add: (router: ConnectRouter) => void;
  readonly limits: TimeLimits & Pick<Limits, "maximumRequestBytes" | "maximumInFlight">;
  /** Lets a request enter its user's share, or throws. */
  readonly gate: (share: FairShare) => (context: HandlerContext) => Promise<void>;
  /** The innermost ones. */
  readonly steps: readonly Step[];
  readonly interceptors: readonly Interceptor[];
  readonly jsonOptions?: ConnectRouterOptions["jsonOptions"];
};

export function mount({ add, limits, observer, gate, ...more }: Mounting): Rpcs {
  const share = fairShare(limits.maximumInFlight, largestAtOnce * limits.maximumRequestBytes);
  // Around Connect: they see bytes, and answers of all that follows.
  const steps: Step[] = [
    ...(observer === undefined ? [] : [tellObserver(observer)]),
    withinDeadline(limits),
    share.leave,
    boundedBody(limits.maximumRequestBytes, share),
    refuseMalformed,
    ...more.steps,
  ];
  return {
    routes(router) {
      add(router);
      for (const [index, rpc] of router.handlers.entries()) router.handlers[index] = behind(steps, rpc);
    },
    // Connect reads the headers, for one protocol.
    grpc: false,
    grpcWeb: false,
    requireConnectProtocolHeader: true,
    maxTimeoutMs: limits.maximumTimeoutMs,
    // Between the headers and the body: who asks, and whether this caller may ask now.
    requestGate: gate(share),
    // Connect reads the body.
    readMaxBytes: limits.maximumRequestBytes,
    jsonOptions: { ...jsonOptions, ...more.jsonOptions },
    // A field that is not known takes two bytes and would be kept as an object.
    binaryOptions: { readUnknownFields: false },
    // Around the handler: they see messages.
    interceptors: [answerRefusals, ...more.interceptors],
  };
}
