import { type ContextValues, createContextKey, createContextValues } from "@connectrpc/connect";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import { Refusal } from "../authorization/refusal.ts";

const holderKey = createContextKey<string | undefined>(undefined);

export type FairShare = {
  /** Counts a request of a user until its handler has ended. Throws RATE_LIMITED when the user holds its share already. */
  enter(userId: string, values: ContextValues): void;
  /** Lets go of what a request was counted for. */
  wrap(handler: UniversalHandler): UniversalHandler;
};

/**
 * Nobody holds more than half of the requests that may be in flight, with bodies that never come for example: there is
 * always room for another caller.
 */
export function fairShare(maximumInFlight: number): FairShare {
  const most = Math.ceil(maximumInFlight / 2);
  const held = new Map<string, number>();

  function leave(userId: string): void {
    const left = (held.get(userId) ?? 1) - 1;
    if (left === 0) held.delete(userId);
    else held.set(userId, left);
  }

  return {
    enter(userId, values) {
      const count = held.get(userId) ?? 0;
      if (count >= most) {
        throw new Refusal("RATE_LIMITED", `more than ${most} requests at once, try again later`, {
          retryAfterSeconds: "1",
        });
      }
      held.set(userId, count + 1);
      values.set(holderKey, userId);
    },
    wrap: (handler) =>
      Object.assign(async (request: Parameters<UniversalHandler>[0]) => {
        const contextValues = request.contextValues ?? createContextValues();
        try {
          return await handler({ ...request, contextValues });
        } finally {
          const userId = contextValues.get(holderKey);
          if (userId !== undefined) leave(userId);
        }
      }, handler),
  };
}
