import { type ContextValues, createContextKey } from "@connectrpc/connect";
import { Refusal } from "../../authorization/refusal.ts";

const holdingKey = createContextKey<{ readonly userId: string; bytes: number } | undefined>(undefined);

export type FairShare = {
  /** Counts a user's request until its handler has ended. Throws RATE_LIMITED if the user already has its share. */
  enter(userId: string, values: ContextValues): void;
  /**
   * Counts bytes of an entered request's body until its handler has ended. Throws RATE_LIMITED if the user already has
   * its share, or OVERLOADED if all users together hold too many.
   */
  hold(bytes: number, values: ContextValues): void;
  /** Stops counting a request and its bytes, once its handler has ended. */
  leave(values: ContextValues): void;
};

/**
 * Limits the requests in flight and the bytes of their bodies. No caller can hold more than half of either, for example
 * with bodies that never arrive, so there is always room for another caller.
 */
export function fairShare(maximumInFlight: number, maximumBytes: number): FairShare {
  const most = Math.ceil(maximumInFlight / 2);
  const held = new Map<string, { requests: number; bytes: number }>();
  let bytesOfAll = 0;

  function letGo({ userId, bytes }: { userId: string; bytes: number }): void {
    bytesOfAll -= bytes;
    const mine = held.get(userId);
    if (mine === undefined) return;
    mine.requests -= 1;
    mine.bytes -= bytes;
    if (mine.requests === 0) held.delete(userId);
  }

  return {
    enter(userId, values) {
      const mine = held.get(userId) ?? { requests: 0, bytes: 0 };
      if (mine.requests >= most) throw tooMuch(`more than ${most} requests at once; try again later`);
      mine.requests += 1;
      held.set(userId, mine);
      values.set(holdingKey, { userId, bytes: 0 });
    },
    hold(bytes, values) {
      const holding = values.get(holdingKey);
      const mine = held.get(holding?.userId ?? "");
      if (holding === undefined || mine === undefined) throw new Error("a body was read before the gate");
      if (mine.bytes + bytes > maximumBytes / 2) throw tooMuch("too many large requests at once; try again later");
      if (bytesOfAll + bytes > maximumBytes)
        throw new Refusal("OVERLOADED", "too many large requests at once; try again");
      holding.bytes += bytes;
      mine.bytes += bytes;
      bytesOfAll += bytes;
    },
    leave(values) {
      const holding = values.get(holdingKey);
      if (holding !== undefined) letGo(holding);
    },
  };
}

function tooMuch(message: string): Refusal {
  return new Refusal("RATE_LIMITED", message, { retryAfterSeconds: "1" });
}
