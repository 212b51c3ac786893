import { expect, test } from "vitest";
import { seeded } from "./random.ts";
import { faultKinds, schedule } from "./schedule.ts";

const faults = (seed: number) => [...schedule(seeded(seed).derive("faults"), 1_000).take(200)];

test("A seed gives the same faults each time, of every kind, and another seed others", () => {
  expect(faults(1)).toEqual(faults(1));
  expect(faults(2)).not.toEqual(faults(1));
  expect(new Set(faults(1).map(({ kind }) => kind))).toEqual(new Set(faultKinds));
});

test("There is time for work between faults, and some of them overlap", () => {
  const all = faults(3);
  expect(Math.min(...all.map(({ afterMs }) => afterMs))).toBeGreaterThanOrEqual(250);
  expect(all.filter(({ overlaps }) => overlaps).length).toBeGreaterThan(20);
});
