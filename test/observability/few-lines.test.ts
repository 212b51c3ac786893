import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fewLines } from "../../src/observability/few-lines.ts";

let written: { details: object; message: string }[];
const log = { info: (details: object, message: string) => void written.push({ details, message }) };

beforeEach(() => {
  vi.useFakeTimers();
  written = [];
});
afterEach(() => {
  vi.useRealTimers();
});

test("Of a second's refusals the first twenty are logged, and the others counted in one line", () => {
  const limited = fewLines(log);
  for (let number = 1; number <= 1_000; number += 1) limited(log, { number }, "refused");
  expect(written).toHaveLength(20);
  vi.advanceTimersByTime(1_000);
  expect(written.slice(20)).toEqual([
    { details: { count: 980 }, message: "more requests were refused before they reached an RPC" },
  ]);
});

test("The next second has lines of its own, and nothing is counted when all were logged", () => {
  const limited = fewLines(log);
  for (let second = 0; second < 3; second += 1) {
    for (let number = 1; number <= 20; number += 1) limited(log, { number }, "refused");
    vi.advanceTimersByTime(1_000);
  }
  expect(written).toHaveLength(60);
});

test("The lines are divided among the processes of a server", () => {
  const limited = fewLines(log, 3);
  for (let number = 1; number <= 100; number += 1) limited(log, { number }, "refused");
  expect(written).toHaveLength(7);
});
