import { Refusal } from "../authorization/refusal.ts";
import type { Holder } from "./count.ts";

/** Ends a turn. */
type End = () => void;

export type FairQueue = ReturnType<typeof fairQueue>;

type Waiter = { start(): void; refuse(error: unknown): void };

type Place = {
  readonly key: Holder;
  /** How many turns it has at most at a time. */
  readonly most: number;
  running: number;
  readonly waiters: Waiter[];
  /** The time of its turns, in milliseconds, of which half is forgotten each second. */
  used: number;
  usedAt: number;
};

const halfLifeMs = 1_000;

type FairQueueOptions = {
  /** How many turns there are at a time. */
  readonly most: number;
  /** By default, half of them. */
  readonly mostOfOne?: number;
  readonly mostWaiting: number;
  readonly longestWaitMs: number;
};

/**
 * Shares what there is little of, such as connections to Postgres, between callers. The next turn is that of the caller
 * whose turns have taken the least time lately, so an expensive request costs its own caller turns, and no one else. If too
 * many wait, the last request of the caller who asks for the most time is refused.
 */
export function fairQueue(options: FairQueueOptions) {
  const { most, mostOfOne = Math.ceil(most / 2), mostWaiting, longestWaitMs } = options;
  const places = new Map<Holder, Place>();
  const waitingPlaces = new Set<Place>();
  let running = 0;

  function placeOf(key: Holder): Place {
    const most = key === undefined ? Number.POSITIVE_INFINITY : mostOfOne;
    const open = () => ({ key, most, running: 0, waiters: [], used: 0, usedAt: performance.now() });
    return places.getOrInsertComputed(key, open);
  }

  function usedBy(place: Place, now: number): number {
    return place.used * 2 ** ((place.usedAt - now) / halfLifeMs);
  }

  function begin(place: Place): End {
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
      forgetIfIdle(place);
    };
  }

  function forgetIfIdle(place: Place): void {
    if (place.running === 0 && place.waiters.length === 0) places.delete(place.key);
  }

  function mayRun(place: Place): boolean {
    return running < most && place.running < place.most;
  }

  function startNext(now: number): void {
    let next: Place | undefined;
    for (const place of waitingPlaces) {
      if (!mayRun(place)) continue;
      if (next === undefined || usedBy(place, now) < usedBy(next, now)) next = place;
    }
    next?.waiters[0]?.start();
  }

  function waiting(): number {
    return [...waitingPlaces].reduce((sum, { waiters }) => sum + waiters.length, 0);
  }

  function makeRoom(): void {
    if (waiting() <= mostWaiting) return;
    const now = performance.now();
    const asked = (place: Place) => place.waiters.length * (1 + usedBy(place, now));
    const greedy = [...waitingPlaces].reduce((one, other) => (asked(other) > asked(one) ? other : one));
    greedy.waiters.at(-1)?.refuse(new Refusal("OVERLOADED", "too many requests are waiting; try again"));
  }

  function wait(place: Place, signals: readonly AbortSignal[]): Promise<End> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        for (const signal of signals) signal.removeEventListener("abort", giveUp);
        const index = place.waiters.indexOf(waiter);
        if (index >= 0) place.waiters.splice(index, 1);
        if (place.waiters.length === 0) waitingPlaces.delete(place);
      };
      const waiter: Waiter = {
        start() {
          leave();
          resolve(begin(place));
        },
        refuse(error) {
          leave();
          forgetIfIdle(place);
          reject(error);
        },
      };
      const giveUp = () => waiter.refuse(signals.find(({ aborted }) => aborted)?.reason);
      const tooLate = "this request had to wait too long for others; try again";
      // Those of a caller that came together are not refused together: they may come again at once.
      const crowd = place.key === undefined ? 0 : place.waiters.length / mostWaiting;
      const patienceMs = longestWaitMs * (1 - crowd / 2);
      const timer = setTimeout(() => waiter.refuse(new Refusal("OVERLOADED", tooLate)), patienceMs);
      for (const signal of signals) signal.addEventListener("abort", giveUp);
      place.waiters.push(waiter);
      waitingPlaces.add(place);
      makeRoom();
    });
  }

  return {
    /**
     * Waits for a turn. Rejects with the reason of a signal that aborts, or with OVERLOADED if it takes too long or others
     * need the room more.
     */
    async take(holder: Holder, ...signals: readonly AbortSignal[]): Promise<End> {
      for (const signal of signals) signal.throwIfAborted();
      const place = placeOf(holder);
      const isFree = place.waiters.length === 0 && mayRun(place);
      return isFree ? begin(place) : wait(place, signals);
    },
    /** How many wait. */
    waiting,
  };
}
