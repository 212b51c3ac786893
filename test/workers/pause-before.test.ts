import { expect, test } from "vitest";
import { pauseBefore } from "../../src/workers/pause-before.ts";

test("A worker is replaced at once, and those that keep dying after a pause that grows to ten seconds", () => {
  const pauses: number[] = [];
  let died = 0;
  for (let count = 0; count < 12; count += 1) {
    const { pauseMs, deathsInRow } = pauseBefore(died, 59_000);
    pauses.push(pauseMs);
    died = deathsInRow;
  }
  expect(pauses).toEqual([0, 100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000, 10_000, 10_000]);
});

test("One that lived for a minute is replaced at once again", () => {
  expect(pauseBefore(9, 60_000)).toEqual({ pauseMs: 0, deathsInRow: 1 });
});
