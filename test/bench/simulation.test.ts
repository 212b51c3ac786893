import { describe, expect, test } from "vitest";
import { newEngine } from "../../bench/simulation/engine.ts";
import { newMachine, newStation } from "../../bench/simulation/machine.ts";
import type { Setup } from "../../bench/simulation/setup.ts";
import { type Load, simulate } from "../../bench/simulation/simulate.ts";
import { seeded } from "../history/random.ts";

describe("queues", () => {
  test.each([0.5, 0.8])(
    "one server with random work takes as long as the formula of M/M/1 says, at a load of %f",
    (load) => {
      const mean = meanTime({ load, atOnce: 1, cores: 1 });
      expect(mean / (1 / (1 - load))).toBeCloseTo(1, 1);
    },
  );

  test("sharing a core between all gives the same mean as one after the other", () => {
    const mean = meanTime({ load: 0.7, atOnce: Number.POSITIVE_INFINITY, cores: 1 });
    expect(mean / (1 / (1 - 0.7))).toBeCloseTo(1, 1);
  });

  test("two cores take as long as the formula of M/M/2 says", () => {
    const load = 0.7;
    const mean = meanTime({ load: 2 * load, atOnce: 2, cores: 2 });
    expect(mean / (1 / (1 - load ** 2))).toBeCloseTo(1, 1);
  });

  test("two tasks on one core end when both would have, and on two cores when each does", () => {
    expect(endsOf(1, [4, 6])).toEqual([8, 10]);
    expect(endsOf(2, [4, 6])).toEqual([4, 6]);
  });

  test("a station runs no more at a time than it may", () => {
    expect(endsOf(2, [4, 6], 1)).toEqual([4, 10]);
  });
});

describe("the service", () => {
  test("the same seed gives the same run, and another one another", () => {
    const run = (seed: number) => simulate({ setup: { ...setup, seed }, load, seconds: 3, warmUpSeconds: 0.5 });
    expect(run(1)).toEqual(run(1));
    expect(run(2)).not.toEqual(run(1));
  });

  test.each([{ outage: undefined }, { outage: { from: 1, seconds: 0.5 } }])(
    "every request is done or still under way, $outage",
    ({ outage }) => {
      const { counts, failedTries } = simulate({
        ...{ setup, load, seconds: 3, warmUpSeconds: 0 },
        ...(outage === undefined ? {} : { outage }),
      });
      expect(counts.begun).toBeGreaterThan(5_000);
      expect(counts.begun).toBe(counts.done + counts.open);
      // In three seconds with little load, hardly any is left.
      expect(counts.open).toBeLessThan(20);
      if (outage === undefined) expect(failedTries).toBe(0);
      else expect(failedTries).toBeGreaterThan(500);
    },
  );

  test("without load, a list takes its work and its way", () => {
    const alone = simulate({
      ...{ setup: { ...setup, replicas: 0, factors: [1] }, seconds: 10, warmUpSeconds: 0 },
      load: { listsPerSecond: 1, changesPerSecond: 0 },
    });
    expect(alone.lists.p50).toBeCloseTo(setup.list.server + setup.list.postgres + 4 * setup.networkMs, 6);
  });

  test("without changes, replicas answer everything; each change between question and snapshot takes some away", () => {
    const shareAt = (changesPerSecond: number) =>
      simulate({ setup, load: { ...load, changesPerSecond }, seconds: 3, warmUpSeconds: 0 }).byReplicas;
    expect(shareAt(0)).toBe(1);
    expect(shareAt(20)).toBeGreaterThan(0.9);
    expect(shareAt(1_500)).toBeLessThan(shareAt(20));
  });

  test("a replica that lags more than reads wait answers few of them while something is written", () => {
    const lagging = { ...setup, replicationMs: 60 };
    const run = simulate({
      setup: lagging,
      load: { listsPerSecond: 1_000, changesPerSecond: 100 },
      seconds: 3,
      warmUpSeconds: 0.5,
    });
    expect(run.byReplicas).toBeLessThan(0.05);
  });

  test("more replicas carry a load that one primary can't", () => {
    const heavy = { listsPerSecond: 6_000, changesPerSecond: 0 };
    const p99At = (replicas: number) =>
      simulate({ setup: { ...setup, servers: 8, replicas }, load: heavy, seconds: 3, warmUpSeconds: 1 }).lists.p99;
    expect(p99At(0)).toBeGreaterThan(200);
    expect(p99At(4)).toBeLessThan(20);
  });

  test("a fail-over fails tries for as long as it takes, and then catches up", () => {
    const outage = { from: 2, seconds: 1 };
    const { lists, backAfter } = simulate({ setup, load, seconds: 8, warmUpSeconds: 0, outage });
    expect(lists.most).toBeGreaterThan(1_000);
    expect(lists.most).toBeLessThan(3_000);
    expect(backAfter).toBeLessThan(3);
  });
});

const list = { server: 0.4, postgres: 0.5, client: 0, wait: 0 };
const load: Load = { listsPerSecond: 2_000, changesPerSecond: 50 };
const setup: Setup = {
  ...{ servers: 4, coresOfPostgres: 2, replicas: 2, connections: 40, seed: 7, factors: [0.5, 1, 1.5] },
  ...{ list, statements: 2, change: { server: 0.8, postgres: 1.5, client: 0, wait: 1 } },
  ...{ question: 0.05, snapshot: 0.1, replay: 0.1, networkMs: 0.1, replicationMs: 0.2 },
};

/** How long a task takes on average, where tasks and their work come at random and the mean work is 1. */
function meanTime({ load, atOnce, cores }: { load: number; atOnce: number; cores: number }): number {
  const engine = newEngine();
  const station = newStation(newMachine(engine, cores), atOnce);
  const random = seeded(5);
  const draw = () => -Math.log(1 - random.fraction());
  let [sum, count] = [0, 0];
  function arrive(): void {
    const started = engine.now();
    station.run(draw(), () => {
      sum += engine.now() - started;
      count += 1;
    });
    engine.after(draw() / load, arrive);
  }
  arrive();
  engine.runUntil(200_000);
  return sum / count;
}

function endsOf(cores: number, works: readonly number[], atOnce = Number.POSITIVE_INFINITY): number[] {
  const engine = newEngine();
  const station = newStation(newMachine(engine, cores), atOnce);
  const ends: number[] = [];
  for (const work of works) station.run(work, () => ends.push(engine.now()));
  engine.runUntil(1_000);
  return ends;
}
