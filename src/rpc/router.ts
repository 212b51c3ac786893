import type { DescMethod, DescService } from "@bufbuild/protobuf";
import type { ConnectRouter, ConnectRouterOptions, MethodImpl, ServiceImpl } from "@connectrpc/connect";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import { compressionGzip } from "@connectrpc/connect-node";
import type { AuthorizationHistoryService } from "../../gen/service/authorization/v2/authorization_history_service_pb.ts";
import type { VerifyJwt } from "../identity/jwt.ts";
import { rememberCallers } from "../identity/remembered-callers.ts";
import type { TokenUses } from "../identity/token-uses.ts";
import { countRequests, type RateLimit } from "../limits/rate-limit.ts";
import { answered, around, opened, wrapSince } from "./around.ts";
import { type Call, callOf } from "./call.ts";
import {
  checkCaller,
  type Gate,
  identifyAgain,
  inTime,
  longestTimeoutMs,
  renewCaller,
  requireCaller,
  type TimeLimits,
} from "./gate.ts";
import { takeDearTurn } from "./interceptors/dear.ts";
import { answerErrors } from "./interceptors/errors.ts";
import { requireReason, takeReason } from "./interceptors/reason.ts";
import { requireValidRequest } from "./interceptors/validation.ts";
import type { Observer } from "./observer.ts";
import { requirementOf } from "./requirements.ts";
import { addServices, type ServiceLimits, type Stores } from "./services/every-service.ts";

export type RpcOptions = {
  readonly stores: Stores;
  /** Undefined: JWTs are not accepted. */
  readonly verifyJwt?: VerifyJwt | undefined;
  /** Where uses of tokens are noted. Undefined if they are not. */
  readonly tokenUses?: Pick<TokenUses, "note"> | undefined;
  readonly limits: ServiceLimits &
    TimeLimits & {
      readonly maximumRequestBytes: number;
      /** Undefined: callers have no rate limit. */
      readonly rateLimit?: RateLimit | undefined;
    };
  readonly watchAuthorizations: WatchRpc;
  /** What is served beside the RPCs. */
  readonly beside?: readonly Beside[];
  /** Aborts when requests in flight have had their time to end. */
  readonly cutOff?: AbortSignal | undefined;
  /** Whether every change needs a reason. */
  readonly mustHaveReasons?: boolean | undefined;
  /** Called for every request. Undefined if nothing is observed. */
  readonly observer?: Observer | undefined;
};

/** The RPC of a stream, which finds its caller again as long as it is open. */
export type WatchRpc = (
  identify: ReturnType<typeof identifyAgain>,
) => MethodImpl<typeof AuthorizationHistoryService.method.watchAuthorizations>;

/** Something that is no RPC, but passes the same gate and holds what an RPC holds. */
export type Beside = { readonly name: string; handlerOf(passed: Passed): UniversalHandler };

/** What the requests of RPCs pass. */
export type Passed = {
  readonly gate: Gate;
  /** Reads the caller's rights again if they are old. */
  readonly renew: (call: Call) => Promise<void>;
  /** The most bytes of a request. */
  readonly most: (method: DescMethod) => number;
  /** Aborts when the server stops waiting for requests in flight. */
  readonly cutOff: AbortSignal | undefined;
};

/** What a router needs: its options, and a function that adds RPCs to it. */
export type Rpcs = ConnectRouterOptions & { readonly routes: (router: ConnectRouter) => void };

/** Every RPC behind the gate, and what its requests pass after that. */
export function rpcs(options: RpcOptions): Rpcs {
  const { stores, verifyJwt, tokenUses, limits, mustHaveReasons = false, beside = [], cutOff } = options;
  const credentials = { callers: stores.callers, memory: rememberCallers(), verifyJwt, tokenUses };
  const isForCaller = checkCaller(credentials);
  const countRequest = limits.rateLimit && countRequests(limits.rateLimit);
  const most = (method: DescMethod) => Math.min(requirementOf(method).mostBytes, limits.maximumRequestBytes);
  const gate = requireCaller(credentials, countRequest);
  const renew = (call: Call) => renewCaller(credentials, call);
  return {
    ...connectOptions(limits, gate),
    interceptors: [
      answerErrors,
      takeReason,
      requireValidRequest,
      ...(mustHaveReasons ? [requireReason] : []),
      takeDearTurn,
      (next) => async (request) => {
        await renew(callOf(request.contextValues));
        return next(request);
      },
    ],
    routes(router) {
      const first = router.handlers.length;
      const observe = options.observer && answered(options.observer);
      const observeStream = options.observer && opened(options.observer);
      const streams = connectOptions({ ...limits, maximumTimeoutMs: longestTimeoutMs }, gate);
      const watch = options.watchAuthorizations(identifyAgain(credentials));
      addServices(adder(router, most, streams), stores, limits, watch);
      wrapSince(first, router, ({ method }) => {
        const isStream = method.methodKind !== "unary";
        return { mostBytes: most(method), observe: isStream ? observeStream : observe, isForCaller };
      });
      for (const { name, handlerOf } of beside) {
        const handler = handlerOf({ gate: inTime(limits, gate), renew, most, cutOff });
        const observe = options.observer && answered(options.observer, "json");
        router.handlers.push(around(handler, { name, mostBytes: most(handler.method), observe, isForCaller }));
      }
    },
  };
}

/** The options of Connect that hold for every RPC that is behind a gate. */
export function connectOptions(limits: TimeLimits, gate: Gate): ConnectRouterOptions {
  return {
    requestGate: inTime(limits, gate),
    requireConnectProtocolHeader: true,
    maxTimeoutMs: limits.maximumTimeoutMs,
    acceptCompression: [compressionGzip],
    jsonOptions,
    // Unknown fields take only two bytes each, but each would be stored as an object.
    binaryOptions: { readUnknownFields: false },
  };
}

/** Writes every set field, even empty ones and zeros. Refuses unknown fields and broken UTF-8. */
export const jsonOptions = {
  alwaysEmitImplicit: true,
  ignoreUnknownFields: false,
  textDecoder: new TextDecoder("utf-8", { fatal: true }),
};

/** Adds a service RPC by RPC, because options such as the size of a request are otherwise those of the whole service. */
function adder(
  router: ConnectRouter,
  mostBytes: (method: DescMethod) => number,
  streams: Partial<ConnectRouterOptions>,
) {
  return <Service extends DescService>(service: Service, implementation: ServiceImpl<Service>): void => {
    for (const method of service.methods) {
      const answer = implementation[method.localName as keyof ServiceImpl<Service>];
      const own = method.methodKind === "unary" ? {} : streams;
      router.rpc(method, answer as never, { ...own, readMaxBytes: mostBytes(method) });
    }
  };
}
