import { describe, expect, test } from "vitest";
import { judge, type Measured, withRows } from "../../bench/siege/table.ts";

const times = (count: number, ms: number) => Array.from({ length: count }, () => ms);
const idle: Measured = { sent: 1_000, answered: times(1_000, 10), peakMiB: 200, crashedAfter: undefined };

describe("a siege", () => {
  const least: Measured = { sent: 1_000, answered: times(990, 50), peakMiB: 399, crashedAfter: undefined };

  test("reaches its goals with 99% answered, in five times the idle p99, below 400 MiB and without a crash", () => {
    const { isReached, cells } = judge(idle, least);
    expect(isReached).toBe(true);
    expect(cells).toEqual(["99.0%", "10 → 50 ms (× 5.0)", "399 MiB", "no", "yes"]);
  });

  test.each<[string, Partial<Measured>]>([
    ["one answer fewer", { answered: times(989, 50) }],
    ["slower answers", { answered: times(1_000, 51) }],
    ["more memory", { peakMiB: 400 }],
    ["memory that no one could measure", { peakMiB: Number.NaN }],
    ["a crash after which all was answered", { crashedAfter: 3.2 }],
    ["no answer at all", { answered: [] }],
  ])("misses them with %s", (_, change) => {
    const { isReached, cells } = judge(idle, { ...least, ...change });
    expect(isReached).toBe(false);
    expect(cells.at(-1)).toBe("**no**");
  });
});

test("A new row replaces the one of the same attack, and the others stay", () => {
  const row = (name: string, run: string) => [name, "1%", "–", "1 MiB", "no", "yes", run];
  const earlier = `Text.\n\n${withRows("", [row("`a`", "1 s"), row("`b`", "1 s")])}`;
  expect(withRows(earlier, [row("`a`", "2 s"), row("`c`", "2 s")])).toBe(
    withRows("", [row("`a`", "2 s"), row("`b`", "1 s"), row("`c`", "2 s")]),
  );
});
