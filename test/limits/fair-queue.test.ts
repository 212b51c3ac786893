import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type FairQueue, fairQueue } from "../../src/limits/fair-queue.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const longestWaitMs = 1_000;
const never = new AbortController().signal;

function open(options: { most?: number; mostWaiting?: number } = {}): FairQueue {
  return fairQueue({ most: 1, mostWaiting: 100, longestWaitMs, ...options });
}

/** Takes one turn after another, as many as can begin. Returns what was taken so far, in its order. */
async function take(queue: FairQueue, ...holders: (string | undefined)[]) {
  const taken: (string | undefined)[] = [];
  const ends: (() => void)[] = [];
  const turns = holders.map((holder) =>
    queue.take(holder, never).then((end) => {
      taken.push(holder);
      ends.push(end);
    }),
  );
  // A refusal is looked at by its own test.
  for (const turn of turns) turn.catch(() => {});
  await settle();
  return {
    taken,
    turns,
    /** Ends the oldest turn after some time, and waits until the next one has begun. */
    async end(afterMs = 0) {
      vi.advanceTimersByTime(afterMs);
      ends.shift()?.();
      await settle();
    },
  };
}

/** Waits until everything has begun that can. */
const settle = async () => void (await vi.advanceTimersByTimeAsync(0));

test("Two callers take turns, however many requests of one wait", async () => {
  const { taken, end } = await take(open(), "ann", "ann", "ann", "ann", "bob", "bob");
  for (let turn = 0; turn < 6; turn += 1) await end(10);
  expect(taken.join()).toBe("ann,bob,ann,bob,ann,ann");
});

test("Requests of one caller are served in the order of their arrival", async () => {
  const queue = open();
  const end = await queue.take("ann", never);
  const served: number[] = [];
  const later = [1, 2, 3].map(async (number) => {
    const leave = await queue.take("ann", never);
    served.push(number);
    leave();
  });
  end();
  await Promise.all(later);
  expect(served).toEqual([1, 2, 3]);
});

test("Whose turns take longer has fewer of them", async () => {
  const requests = Array.from({ length: 40 }, () => ["ann", "bob"]).flat();
  const { taken, end } = await take(open(), ...requests);
  while (taken.length < 40) await end(taken.at(-1) === "ann" ? 50 : 5);
  const ofAnn = taken.filter((holder) => holder === "ann").length;
  expect(ofAnn).toBeGreaterThan(1);
  expect(ofAnn).toBeLessThan(10);
});

test("What turns have taken is forgotten after some seconds", async () => {
  const queue = open();
  const before = await take(queue, "ann");
  await before.end(100);
  vi.advanceTimersByTime(20_000);
  const { taken, end } = await take(queue, "bob", "bob", "ann");
  await end(1);
  expect(taken).toEqual(["bob", "ann"]);
});

describe("At the same time", () => {
  test("there are only so many turns", async () => {
    const { taken, end } = await take(open({ most: 2 }), "ann", "bob", "cem");
    expect(taken).toEqual(["ann", "bob"]);
    await end();
    expect(taken).toEqual(["ann", "bob", "cem"]);
  });

  test("a caller has at most half of them, rounded up, also while no one else wants them", async () => {
    const queue = open({ most: 5 });
    const ofAnn = await take(queue, "ann", "ann", "ann", "ann");
    expect(ofAnn.taken).toHaveLength(3);
    const ofBob = await take(queue, "bob", "bob");
    expect(ofBob.taken).toHaveLength(2);
    await ofAnn.end();
    expect(ofAnn.taken).toHaveLength(4);
  });

  test("the requests of a trusted proxy may have all", async () => {
    const { taken } = await take(open({ most: 4 }), undefined, undefined, undefined, undefined);
    expect(taken).toHaveLength(4);
  });
});

test("When too many wait, those of a caller with long turns are refused, and not more of one with short turns", async () => {
  const queue = open({ mostWaiting: 5 });
  const ofAnn = await take(queue, "ann", "ann", "ann");
  await ofAnn.end(500);
  const ofBob = await take(queue, "bob", "bob", "bob", "bob");
  const last = await take(queue, "ann");
  await expect(last.turns[0]).rejects.toMatchObject({ reason: "OVERLOADED" });
  expect(queue.waiting()).toBe(5);
  expect(ofBob.taken).toEqual([]);
});

test("When too many wait, the last request of whoever has most of them is refused", async () => {
  const queue = open({ mostWaiting: 3 });
  const { taken, turns, end } = await take(queue, "bob", "bob", "ann", "ann", "bob");
  expect(queue.waiting()).toBe(3);
  await expect(turns[4]).rejects.toMatchObject({ reason: "OVERLOADED" });
  for (let turn = 0; turn < 4; turn += 1) await end();
  expect(taken).toHaveLength(4);
});

test("Someone who comes while one caller fills the queue still finds room", async () => {
  const queue = open({ mostWaiting: 3 });
  const ofAnn = await take(queue, "ann", "ann", "ann", "ann");
  const ofBob = await take(queue, "bob");
  await expect(ofAnn.turns[3]).rejects.toMatchObject({ reason: "OVERLOADED" });
  await ofAnn.end(1);
  expect(ofBob.taken).toEqual(["bob"]);
});

test("Whoever waits too long is refused, and holds up no one", async () => {
  const queue = open();
  const { taken, turns, end } = await take(queue, "ann", "bob");
  vi.advanceTimersByTime(longestWaitMs);
  await expect(turns[1]).rejects.toMatchObject({
    reason: "OVERLOADED",
    message: "this request had to wait too long for others; try again",
  });
  expect(queue.waiting()).toBe(0);
  await end();
  expect(taken).toEqual(["ann"]);
  expect((await take(queue, "cem")).taken).toEqual(["cem"]);
});

test("Those of a caller that came together are refused one after the other, the last after at least half of the time", async () => {
  const queue = open({ mostWaiting: 4 });
  await take(queue, "ann", "ann", "ann", "ann", "ann");
  const waiting = [];
  for (const afterMs of [0, 624, 1, 125, 125, 125]) {
    await vi.advanceTimersByTimeAsync(afterMs);
    waiting.push(queue.waiting());
  }
  expect(waiting).toEqual([4, 4, 3, 2, 1, 0]);
});

test("Those whose caller isn't known, and who came together, may wait for the whole time", async () => {
  const queue = open({ mostWaiting: 4 });
  await take(queue, "ann", undefined, undefined, undefined);
  await vi.advanceTimersByTimeAsync(longestWaitMs - 1);
  expect(queue.waiting()).toBe(3);
});

test("Whoever gives up leaves the queue, and its turn goes to the next", async () => {
  const queue = open();
  const end = await queue.take("ann", never);
  const leaving = new AbortController();
  const left = queue.take("bob", leaving.signal);
  const next = queue.take("bob", never);
  leaving.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  expect(queue.waiting()).toBe(1);
  end();
  await expect(next).resolves.toBeTypeOf("function");
  await expect(queue.take("ann", leaving.signal)).rejects.toThrow("gone");
});
