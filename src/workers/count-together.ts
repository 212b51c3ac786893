import { Refusal } from "../authorization/refusal.ts";
import type { Counting } from "../rpc/door/counting.ts";
import type { Channel } from "./channel.ts";
import type { Counted } from "./counting-desk.ts";
import { openLeases, type Pool } from "./leases.ts";

/**
 * Counts what is limited for all workers of a server together. A request on a quiet server asks no other process, except
 * for ApplyChanges, which take far longer than that, and if callers have a rate limit.
 */
export function countTogether(channel: Channel, workers: number, lent: readonly Pool[]): Counting {
  let turns = 0;
  return {
    allowance: openLeases(channel, workers, lent).allowance,
    turns: (most) => async (userId, signal, work) => {
      turns += 1;
      const turn = turns;
      try {
        await channel.ask("turn", { userId, turn, most }, signal);
        return await work();
      } finally {
        channel.tell("turn over", turn);
      }
    },
    rate: (limit) => async (userId) => {
      const { refused } = await channel.ask<Counted>("count", { userId, limit });
      if (refused !== undefined) throw new Refusal("RATE_LIMITED", refused.message, refused.metadata);
    },
  };
}
