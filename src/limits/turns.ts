/** Runs work for a user when it is that user's turn. Rejects with the signal's reason if the signal aborts before. */
export type InTurn = <T>(userId: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/**
 * Lets only so much work of each user run at a time. The rest waits in the order of its arrival, and holds nothing but its
 * request meanwhile. Users don't wait for each other.
 */
export function takeTurns(most: number): InTurn {
  const users = new Map<string, Turns>();
  return async (userId, signal, work) => {
    const turns = users.get(userId) ?? { running: 0, waiting: new Set() };
    users.set(userId, turns);
    if (turns.running < most) turns.running += 1;
    else await takenOver(turns, signal);
    try {
      return await work();
    } finally {
      const [next] = turns.waiting;
      if (next !== undefined) next();
      else turns.running -= 1;
      if (turns.running === 0) users.delete(userId);
    }
  };
}

type Turns = { running: number; readonly waiting: Set<() => void> };

/** Waits until work that ends leaves its turn. */
function takenOver({ waiting }: Turns, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      waiting.delete(take);
      signal.removeEventListener("abort", leave);
    };
    const take = () => {
      end();
      resolve();
    };
    const leave = () => {
      end();
      reject(signal.reason);
    };
    if (signal.aborted) return leave();
    waiting.add(take);
    signal.addEventListener("abort", leave, { once: true });
  });
}
