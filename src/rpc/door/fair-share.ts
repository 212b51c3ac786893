import { type ContextValues, createContextKey } from "@connectrpc/connect";
import { Refusal } from "../../authorization/refusal.ts";
import { andThen, type Counting, countHere } from "./counting.ts";

const holdingKey = createContextKey<Holding | undefined>(undefined);

type Holding = { readonly userId: string; bytes: number; hasLeft: boolean };

/** They answer with a promise only if other processes have to be asked. */
export type FairShare = {
  /** Counts a user's request until its handler has ended. Throws RATE_LIMITED if the user already has its share. */
  enter(userId: string, values: ContextValues): void | Promise<void>;
  /**
   * Counts bytes of an entered request's body until its handler has ended. Throws RATE_LIMITED if the user already has
   * its share, or OVERLOADED if all users together hold too many.
   */
  hold(bytes: number, values: ContextValues): void | Promise<void>;
  /** Stops counting a request and its bytes, once its handler has ended. */
  leave(values: ContextValues): void;
};

/**
 * Limits the requests in flight and the bytes of their bodies. No caller can hold more than half of either, for example
 * with bodies that never arrive, so there is always room for another caller.
 */
export function fairShare(maximumInFlight: number, maximumBytes: number, counting: Counting = countHere): FairShare {
  const most = Math.ceil(maximumInFlight / 2);
  const requests = counting.allowance("requests of a caller", most);
  const bytesOfCaller = counting.allowance("bytes of a caller", Math.floor(maximumBytes / 2));
  const bytesOfAll = counting.allowance("bytes", maximumBytes);

  /** Bytes that were granted too late are given back at once. */
  function add(holding: Holding, bytes: number): void {
    holding.bytes += bytes;
    if (holding.hasLeft) letGo(holding);
  }

  function letGo(holding: Holding): void {
    bytesOfCaller.give(holding.userId, holding.bytes);
    bytesOfAll.give("", holding.bytes);
    holding.bytes = 0;
  }

  return {
    enter(userId, values) {
      return andThen(requests.take(userId, 1), (isTaken) => {
        if (!isTaken) throw tooMuch(`more than ${most} requests at once; try again later`);
        values.set(holdingKey, { userId, bytes: 0, hasLeft: false });
      });
    },
    hold(bytes, values) {
      const holding = values.get(holdingKey);
      if (holding === undefined) throw new Error("a body was read before the gate");
      return andThen(bytesOfCaller.take(holding.userId, bytes), (isMine) => {
        if (!isMine) throw tooMuch("too many large requests at once; try again later");
        return andThen(bytesOfAll.take("", bytes), (isTaken) => {
          if (isTaken) return add(holding, bytes);
          bytesOfCaller.give(holding.userId, bytes);
          throw new Refusal("OVERLOADED", "too many large requests at once; try again");
        });
      });
    },
    leave(values) {
      const holding = values.get(holdingKey);
      if (holding === undefined) return;
      holding.hasLeft = true;
      requests.give(holding.userId, 1);
      letGo(holding);
    },
  };
}

function tooMuch(message: string): Refusal {
  return new Refusal("RATE_LIMITED", message, { retryAfterSeconds: "1" });
}
