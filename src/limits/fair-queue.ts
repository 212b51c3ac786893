import { Refusal } from "../authorization/refusal.ts";
import type { Holder } from "./count.ts";

/** Ends a turn. */
type End = () => void;

export type FairQueue = {
  /**
   * Waits for a turn. Rejects with the signal's reason if that aborts, or with OVERLOADED if it takes too long or others
   * need the room more.
   */
  take(holder: Holder, signal: AbortSignal): Promise<End>;
  /** How many wait. */
  waiting(): number;
};

type Waiter = { start(): void; refuse(error: unknown): void };

type Place = {
  running: number;
  readonly waiters: Waiter[];
  /** The time of its turns, in milliseconds, of which half is forgotten each second. */
  used: number;
  usedAt: number;
};

const halfLifeMs = 1_000;

type FairQueueOptions = {
  /** How many turns there are at a time. A caller has at most half of them. */
  readonly most: number;
  readonly mostWaiting: number;
  readonly longestWaitMs: number;
};

/**
 * Shares what there is little of, such as connections to Postgres, between callers. The next turn is that of the caller
 * whose turns have taken the least time lately, so an expensive request costs its own caller turns, and no one else. If too
 * many wait, the last request of the caller with the most waiting is refused.
 */
export function fairQueue({ most, mostWaiting, longestWaitMs }: FairQueueOptions): FairQueue {
  const mostOfOne = Math.ceil(most / 2);
  const places = new Map<Holder, Place>();
  let running = 0;

  function placeOf(holder: Holder): Place {
    const place = places.get(holder) ?? { running: 0, waiters: [], used: 0, usedAt: performance.now() };
    places.set(holder, place);
    return place;
  }

  function usedBy(place: Place, now: number): number {
    return place.used * 2 ** ((place.usedAt - now) / halfLifeMs);
  }

  function begin(holder: Holder, place: Place): End {
    const began = performance.now();
    running += 1;
    place.running += 1;
    return () => {
      const now = performance.now();
      running -= 1;
      place.running -= 1;
      place.used = usedBy(place, now) + now - began;
      place.usedAt = now;
      startNext(now);
      forgetIfIdle(holder, place);
    };
  }

  function forgetIfIdle(holder: Holder, place: Place): void {
    if (place.running === 0 && place.waiters.length === 0) places.delete(holder);
  }

  function mayRun(holder: Holder, place: Place): boolean {
    return running < most && (holder === undefined || place.running < mostOfOne);
  }

  function startNext(now: number): void {
    let next: Place | undefined;
    for (const [holder, place] of places) {
      if (place.waiters.length === 0 || !mayRun(holder, place)) continue;
      if (next === undefined || usedBy(place, now) < usedBy(next, now)) next = place;
    }
    next?.waiters.shift()?.start();
  }

  function waiting(): number {
    return [...places.values()].reduce((sum, { waiters }) => sum + waiters.length, 0);
  }

  function makeRoom(): void {
    if (waiting() <= mostWaiting) return;
    const longest = [...places.values()].reduce((one, other) =>
      other.waiters.length > one.waiters.length ? other : one,
    );
    longest.waiters.pop()?.refuse(new Refusal("OVERLOADED", "too many requests are waiting; try again"));
  }

  function wait(holder: Holder, place: Place, signal: AbortSignal): Promise<End> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", giveUp);
        const index = place.waiters.indexOf(waiter);
        if (index >= 0) place.waiters.splice(index, 1);
      };
      const waiter: Waiter = {
        start() {
          leave();
          resolve(begin(holder, place));
        },
        refuse(error) {
          leave();
          forgetIfIdle(holder, place);
          reject(error);
        },
      };
      const giveUp = () => waiter.refuse(signal.reason);
      const tooLate = "this request had to wait too long for others; try again";
      const timer = setTimeout(() => waiter.refuse(new Refusal("OVERLOADED", tooLate)), longestWaitMs);
      signal.addEventListener("abort", giveUp, { once: true });
      place.waiters.push(waiter);
      makeRoom();
    });
  }

  return {
    async take(holder, signal) {
      signal.throwIfAborted();
      const place = placeOf(holder);
      return mayRun(holder, place) && place.waiters.length === 0 ? begin(holder, place) : wait(holder, place, signal);
    },
    waiting,
  };
}
