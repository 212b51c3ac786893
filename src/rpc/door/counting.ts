import { type CountRequest, countRequests, type RateLimit } from "./rate-limit.ts";
import { type InTurn, takeTurns } from "./turns.ts";

/** So much of something can be taken at a time, for each key separately, such as requests of each caller. */
export type Allowance = {
  /** Takes some and resolves to true, or takes nothing. A promise only if other processes have to be asked. */
  take(key: string, amount: number): boolean | Promise<boolean>;
  /** Gives back what was taken. */
  give(key: string, amount: number): void;
};

/** What makes room when another process needs its share back: gives back some of what is taken. */
export type MakeRoom = (amount: number) => void;

/** Counts what is limited: in this process, or in all workers of a server together. */
export type Counting = {
  /** @param name what is taken; each is opened once */
  allowance(name: string, most: number, makeRoom?: MakeRoom): Allowance;
  turns(most: number): InTurn;
  rate(limit: RateLimit): CountRequest;
};

/** For a server of a single process. */
export const countHere: Counting = {
  allowance: (_name, most) => allowHere(most),
  turns: takeTurns,
  rate: countRequests,
};

function allowHere(most: number): Allowance {
  const taken = new Map<string, number>();
  return {
    take(key, amount) {
      const after = (taken.get(key) ?? 0) + amount;
      if (after > most) return false;
      taken.set(key, after);
      return true;
    },
    give(key, amount) {
      const after = (taken.get(key) ?? 0) - amount;
      if (after > 0) taken.set(key, after);
      else taken.delete(key);
    },
  };
}

/** Continues at once unless the value is still to come. */
export function andThen<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
