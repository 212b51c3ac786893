import { describe, expect, test } from "vitest";
import { median, percentile, ratioOf, summarize } from "../../bench/statistics.ts";

describe("the numbers of a run", () => {
  test("the median of an even count lies between the two in the middle", () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([9, 1, 5, 7])).toBe(6);
    expect(median([])).toBeNaN();
  });

  test("a percentile is one of the numbers", () => {
    const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
    expect([0.5, 0.95, 0.99, 1].map((share) => percentile(hundred, share))).toEqual([50, 95, 99, 100]);
    expect(percentile([3], 0.01)).toBe(3);
    expect(percentile([], 0.5)).toBeNaN();
  });

  test("each number is the median over the rounds, whatever order answers came in", () => {
    const summary = summarize([
      { sent: 3, seconds: 1, milliseconds: [30, 10, 20] },
      { sent: 8, seconds: 2, milliseconds: [7, 5, 6, 8] },
      { sent: 100, seconds: 1, milliseconds: Array(90).fill(1) },
    ]);
    expect(summary).toEqual({ offered: 4, achieved: 3, p50: 6, p95: 8, p99: 8 });
  });

  test("processor time is that of one answer", () => {
    const runs = [10, 20, 60].map((server) => {
      return { sent: 10, seconds: 1, milliseconds: Array(10).fill(1), processor: { server, postgres: 2 * server } };
    });
    expect(summarize(runs)).toMatchObject({ serverMs: 2, postgresMs: 4 });
  });

  test("a ratio is the median of the ratios of the rounds", () => {
    const answered = (count: number) => ({ sent: count, seconds: 1, milliseconds: Array(count).fill(1) });
    const [slow, fast] = [[10, 40, 20].map(answered), [20, 80, 10].map(answered)];
    expect([ratioOf(slow, fast), ratioOf(slow, slow)]).toEqual([0.5, 1]);
  });
});
