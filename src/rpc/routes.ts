import type { VerifyJwt } from "../identity/jwt.ts";
import type { CallerStore } from "../identity/store.ts";
import type { TokenUses } from "../identity/token-uses.ts";
import { requireReason, takeReason } from "./body/reason.ts";
import { requireValidInTurns } from "./body/validation.ts";
import type { Rpc } from "./door/call.ts";
import { renewCaller, requireCaller } from "./door/caller.ts";
import { type Counting, countHere } from "./door/counting.ts";
import type { TimeLimits } from "./door/deadline.ts";
import { jsonOptions } from "./door/encoding.ts";
import { fairShare } from "./door/fair-share.ts";
import type { Observer } from "./door/observer.ts";
import type { RateLimit } from "./door/rate-limit.ts";
import { type Answering, type ServiceLimits, services } from "./services.ts";
import { unary, type Way } from "./unary.ts";

type Stores = Answering & { readonly callers: CallerStore };

type Limits = ServiceLimits &
  TimeLimits & {
    readonly maximumRequestBytes: number;
    readonly maximumInFlight: number;
    /** Undefined: callers have no rate limit. */
    readonly rateLimit?: RateLimit | undefined;
  };

export type RoutesOptions = {
  readonly stores: Stores;
  /** Undefined: JWTs are not accepted. */
  readonly verifyJwt?: VerifyJwt | undefined;
  /** Where uses of tokens are noted. Undefined if they are not. */
  readonly tokenUses?: Pick<TokenUses, "note"> | undefined;
  readonly limits: Limits;
  /** Whether every change needs a reason. */
  readonly mustHaveReasons?: boolean | undefined;
  /** By default, this process counts what is limited on its own. */
  readonly counting?: Counting | undefined;
  /** Called for every request. Undefined if nothing is observed. */
  readonly observer?: Observer | undefined;
};

/** How many bodies of the largest size may be held at once. */
const largestAtOnce = 16;

/** Every RPC, with the steps of its requests as in unary.ts: the gate, the checks, and the function that answers. */
export function rpcs(options: RoutesOptions): Rpc[] {
  const { stores, verifyJwt, tokenUses, limits, mustHaveReasons, observer, counting = countHere } = options;
  const credentials = { callers: stores.callers, verifyJwt, tokenUses };
  const countRequest = limits.rateLimit && counting.rate(limits.rateLimit);
  const share = fairShare(limits.maximumInFlight, largestAtOnce * limits.maximumRequestBytes, counting);
  const renew = renewCaller(credentials);
  const way: Way = {
    limits,
    observer,
    share,
    gate: requireCaller(credentials, { countRequest, share }),
    check: async (call, request) => {
      takeReason(call, request);
      await requireValidInTurns(call.method.input, request);
      if (mustHaveReasons) requireReason(call, request);
      await renew(call);
    },
    jsonOptions,
  };
  return services(stores, limits, counting).map(({ method, handler }) => unary(method, handler, way));
}
