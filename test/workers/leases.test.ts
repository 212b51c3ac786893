import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Allowance } from "../../src/rpc/door/counting.ts";
import { openLeaseOffice } from "../../src/workers/lease-office.ts";
import { openLeases } from "../../src/workers/leases.ts";
import { until } from "../support/until.ts";
import { openWires } from "./wires.ts";

/** A worker that takes from one allowance. */
type Worker = ReturnType<ReturnType<typeof crew>["start"]>;

function crew(count: number, most: number, idleMs = 0) {
  const office = openLeaseOffice(count, idleMs);
  return {
    office,
    start(makeRoom?: (amount: number) => void) {
      const { primary, worker, cut } = openWires();
      const asked: string[] = [];
      const { ask } = worker;
      const channel = {
        ...worker,
        ask: <T>(name: string, ...rest: [unknown?, AbortSignal?]) => {
          asked.push(name);
          return ask<T>(name, ...rest);
        },
      };
      const lent = office.join(primary);
      const allowance: Allowance = openLeases(channel, count, lent).allowance("things", most, makeRoom);
      return {
        ...allowance,
        asked,
        /** Stops it, as when its process was killed. */
        die() {
          cut();
          office.leave(primary);
        },
      };
    },
  };
}

/** The same numbers for the same seed: below a number, from 0 on. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** Takes one after another until it is refused. */
async function takeAll({ take }: Worker, key = "ann", amount = 1): Promise<number> {
  let taken = 0;
  while (await take(key, amount)) taken += amount;
  return taken;
}

describe("What is limited for all workers together", () => {
  test("is taken by a worker without asking, up to its share", () => {
    const { start } = crew(2, 10);
    const [one] = [start(), start()];
    for (let count = 0; count < 5; count += 1) expect(one.take("ann", 1)).toBe(true);
    expect(one.take("ann", 1)).toBeInstanceOf(Promise);
  });

  test.each([
    [2, 10],
    [2, 1],
    [3, 2],
    [4, 1_001],
  ])("is there as a whole for one of %i workers: %i", async (count, most) => {
    const { start } = crew(count, most);
    const [one, other] = Array.from({ length: count }, () => start());
    expect(await takeAll(one as Worker)).toBe(most);
    expect(await (other as Worker).take("ann", 1)).toBe(false);
    // Each half that is lent saves the next questions.
    expect(one?.asked.length).toBeLessThan(25);
  });

  test("is separate for each key", async () => {
    const { start } = crew(2, 4);
    const [one, other] = [start(), start()];
    expect([await takeAll(one), await takeAll(other, "bob")]).toEqual([4, 4]);
  });

  test("is taken back by another worker once it is given back", async () => {
    const { start } = crew(2, 4);
    const [one, other] = [start(), start()];
    await takeAll(one);
    for (let count = 0; count < 4; count += 1) one.give("ann", 1);
    expect(await takeAll(other)).toBe(4);
  });

  test("is never more than there is, whatever many workers take at the same time", async () => {
    const { start } = crew(4, 30);
    const workers = Array.from({ length: 4 }, () => start());
    const many = workers.flatMap(({ take }) => Array.from({ length: 20 }, () => take("ann", 1)));
    const taken = (await Promise.all(many)).filter(Boolean).length;
    expect(taken).toBeLessThanOrEqual(30);
    const rest = await Promise.all(workers.map((worker) => takeAll(worker)));
    expect(rest.reduce((sum, more) => sum + more, taken)).toBe(30);
  });

  test("is enough for all who want exactly what there is, at the same time", async () => {
    const random = randomOf(3);
    for (let round = 0; round < 100; round += 1) {
      const most = 20 + random(60);
      const { start } = crew(2, most);
      const workers = [start(), start()];
      const all = Array.from({ length: most }, async () => {
        const worker = workers[random(3) === 0 ? 1 : 0];
        // Some come while those before them wait for an answer.
        for (let turns = random(9); turns > 0; turns -= 1) await setImmediate();
        return worker?.take("ann", 1);
      });
      expect((await Promise.all(all)).filter(Boolean)).toHaveLength(most);
    }
  });

  test("is refused without asking again for a moment", async () => {
    const { start } = crew(2, 2);
    const [one, other] = [start(), start()];
    await takeAll(one);
    expect(await other.take("ann", 1)).toBe(false);
    const before = other.asked.length;
    expect(other.take("ann", 1)).toBe(false);
    expect(other.asked).toHaveLength(before);
  });

  test("comes back when a worker dies, and the one in its place holds nothing that is lent", async () => {
    const { start } = crew(2, 6);
    const [one, other] = [start(), start()];
    await takeAll(one);
    one.die();
    expect(await takeAll(other)).toBe(6);
    const next = start();
    expect(await takeAll(next)).toBe(0);
    other.die();
    await until("the moment after a refusal to pass", () => next.take("ann", 1));
    expect(await takeAll(next)).toBe(5);
  });

  test("goes back to equal shares when it is not needed", async () => {
    const { start, office } = crew(2, 10);
    const [one, other] = [start(), start()];
    await takeAll(one);
    await office.settle();
    expect(await other.take("ann", 1)).toBe(false);
    for (let count = 0; count < 10; count += 1) one.give("ann", 1);
    await office.settle();
    // What is lent arrives then.
    await setImmediate();
    expect(other.take("ann", 5)).toBe(true);
    const asked = one.asked.length;
    expect(one.take("ann", 5)).toBe(true);
    expect(one.asked).toHaveLength(asked);
  });

  test("makes room in a worker that has borrowed, down to its share, for one that needs its own", async () => {
    const { start } = crew(2, 10);
    const made: number[] = [];
    const one: Worker = start((amount) => {
      made.push(amount);
      one.give("", amount);
    });
    const other = start();
    await takeAll(one, "");
    expect(await other.take("", 5)).toBe(true);
    expect(made).toEqual([5]);
    expect(await other.take("", 1)).toBe(false);
  });

  test("is refused when the primary process has ended", async () => {
    const { start } = crew(2, 2);
    const one = start();
    one.die();
    expect(await takeAll(one)).toBe(1);
  });
});

test("In any order of taking, giving back, dying and settling, no more is taken than there is, and nothing is lost", async () => {
  const random = randomOf(7);
  for (let round = 0; round < 30; round += 1) {
    const most = 1 + random(20);
    const { start, office } = crew(3, most);
    const workers = [start(), start(), start()].map((worker) => ({ worker, taken: 0 }));
    const total = () => workers.reduce((sum, { taken }) => sum + taken, 0);
    const under: Promise<unknown>[] = [];
    for (let step = 0; step < 200; step += 1) {
      const index = random(3);
      const mine = workers[index] as (typeof workers)[number];
      const what = random(20);
      if (what < 10) {
        const amount = 1 + random(3);
        const taking = Promise.resolve(mine.worker.take("ann", amount)).then((isTaken) => {
          if (isTaken) mine.taken += amount;
          expect(total()).toBeLessThanOrEqual(most);
        });
        under.push(taking);
        if (random(2) === 0) await taking;
      } else if (what < 17) {
        if (mine.taken > 0) {
          mine.taken -= 1;
          mine.worker.give("ann", 1);
        }
      } else if (what < 18) {
        await Promise.all(under);
        mine.worker.die();
        workers[index] = { worker: start(), taken: 0 };
      } else under.push(office.settle());
    }
    await Promise.all(under);
    for (const { worker, taken } of workers) worker.give("ann", taken);
    const { worker } = workers[0] as (typeof workers)[number];
    let all = 0;
    await until("everything to be free again", async () => {
      all += await takeAll(worker);
      return all === most;
    });
  }
});
