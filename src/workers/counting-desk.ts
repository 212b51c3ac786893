import { Refusal } from "../authorization/refusal.ts";
import { type CountRequest, countRequests, type RateLimit } from "../rpc/door/rate-limit.ts";
import { type InTurn, takeTurns } from "../rpc/door/turns.ts";
import type { Channel } from "./channel.ts";

/** Whether a request is within its caller's rate. */
export type Counted = { readonly refused?: { readonly message: string; readonly metadata: Record<string, string> } };

type Turn = { readonly userId: string; readonly turn: number; readonly most: number };

/** Counts the rate of each caller, and gives turns, for all workers. */
export function openCountingDesk(): { join(channel: Channel): void; leave(channel: Channel): void } {
  const ends = new Map<Channel, Map<number, () => void>>();
  let count: CountRequest | undefined;
  let inTurn: InTurn | undefined;

  return {
    join(channel) {
      const own = new Map<number, () => void>();
      ends.set(channel, own);
      channel.on("count", async ({ userId, limit }: { userId: string; limit: RateLimit }): Promise<Counted> => {
        count ??= countRequests(limit);
        try {
          await count(userId);
          return {};
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          return { refused: { message: error.message, metadata: { ...error.metadata } } };
        }
      });
      channel.on("turn", ({ userId, turn, most }: Turn, over: AbortSignal) => {
        inTurn ??= takeTurns(most);
        const run = inTurn;
        return new Promise<void>((begin, reject) => {
          const work = () => {
            begin();
            return new Promise<void>((end) => own.set(turn, end));
          };
          run(userId, over, work).catch(reject);
        });
      });
      channel.on("turn over", (turn: number) => {
        own.get(turn)?.();
        own.delete(turn);
      });
    },
    leave(channel) {
      for (const end of ends.get(channel)?.values() ?? []) end();
      ends.delete(channel);
    },
  };
}
