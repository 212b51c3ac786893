/** A clock that jumps from one event to the next. Times are in milliseconds. */
export type Engine = {
  now(): number;
  /** Events at the same time happen in the order in which they were added. */
  after(delay: number, event: () => void): void;
  /** Lets everything happen up to this time. */
  runUntil(time: number): void;
};

type Entry = { readonly time: number; readonly number: number; readonly event: () => void };

export function newEngine(): Engine {
  const heap = newHeap<Entry>((a, b) => a.time - b.time || a.number - b.number);
  let now = 0;
  let added = 0;
  return {
    now: () => now,
    after(delay, event) {
      added += 1;
      heap.push({ time: now + delay, number: added, event });
    },
    runUntil(time) {
      for (let next = heap.first(); next !== undefined && next.time <= time; next = heap.first()) {
        heap.pop();
        now = next.time;
        next.event();
      }
      now = time;
    },
  };
}

export type Heap<T> = { first(): T | undefined; push(item: T): void; pop(): T | undefined; size(): number };

/** The smallest item comes first. */
export function newHeap<T>(compare: (a: T, b: T) => number): Heap<T> {
  const items: T[] = [];
  const isBelow = (a: number, b: number) => compare(items[a] as T, items[b] as T) < 0;
  const swap = (a: number, b: number) => {
    [items[a], items[b]] = [items[b] as T, items[a] as T];
  };
  return {
    first: () => items[0],
    size: () => items.length,
    push(item) {
      items.push(item);
      for (let place = items.length - 1; place > 0; ) {
        const parent = (place - 1) >> 1;
        if (!isBelow(place, parent)) break;
        swap(place, parent);
        place = parent;
      }
    },
    pop() {
      const first = items[0];
      const last = items.pop();
      if (items.length === 0 || last === undefined) return first;
      items[0] = last;
      for (let place = 0; ; ) {
        const left = 2 * place + 1;
        if (left >= items.length) break;
        const child = left + 1 < items.length && isBelow(left + 1, left) ? left + 1 : left;
        if (!isBelow(child, place)) break;
        swap(place, child);
        place = child;
      }
      return first;
    },
  };
}
