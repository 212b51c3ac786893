import { describe, expect, test } from "vitest";
import { duelLoad } from "../../bench/cases/duels.ts";
import { readCount, writeCount } from "../../bench/options.ts";
import { number, renderResults, renderTargets } from "../../bench/report.ts";
import type { CaseResult, Results } from "../../bench/results.ts";

describe("the results page", () => {
  test("a target that is missed stands out", () => {
    const table = renderTargets([resultsOf(1_000_000, total(4)), resultsOf(10_000_000, total(12.5))]);
    expect(table).toContain("| exact total, unfiltered, instance owner, inside Postgres | ≤ 10 ms | 4 | **12.5** ✗ |");
  });

  test("what was not measured is left empty", () => {
    expect(renderTargets([resultsOf(1_000_000)])).toContain("inside Postgres | ≤ 10 ms |  |");
  });

  test("growth is told where a world ten times as large was measured", () => {
    const table = renderTargets([resultsOf(1_000_000, page(2)), resultsOf(10_000_000, page(3))]);
    expect(table).toContain("worst kind of caller | ≤ 1.2 | **1.50** ✗ |  |");
  });

  test("every size has a section, and a slow side says that it was asked less", () => {
    const text = renderResults([resultsOf(100_000, page(2)), resultsOf(1_000_000, page(3, 1))]);
    expect(text).toContain("## 100k authorizations");
    expect(text).toContain("| ours, JSON | 2 at once | 10 | 10 | 1 | 2 | 5 | 9 |");
    expect(text).toContain("| ours, JSON | 1 at once (slow) | 10 | 10 | 1 | 3 | 5 | 9 |");
  });

  test("a duel has a line with the processor time of both sides, and the ratio of its rounds", () => {
    const side = { load: duelLoad, connections: 8, offered: 9, p50: 1, p95: 2, p99: 3 };
    const measurements = [
      { ...side, side: "ours", achieved: 300, serverMs: 0.5, postgresMs: 0.25, ratio: 1 },
      { ...side, side: "rival", achieved: 600, serverMs: 0.2, postgresMs: 0.3, ratio: 0.48 },
    ];
    const text = renderResults([resultsOf(1_000_000, { ...caseOf("duel-own"), measurements })]);
    expect(text).toContain("| duel-own | 1M | 300 | 0.50 + 0.25 | 600 | 0.20 + 0.30 | 0.48 |");
  });

  test("numbers have the digits that say something", () => {
    expect([12_345.6, 42.123, 1.005, 0.04567, 7, Number.NaN].map(number)).toEqual([
      ...["12,346", "42.1", "1.00", "0.0457", "7", "–"],
    ]);
  });

  test("sizes are read and written as people say them", () => {
    expect(["100k", "10M", "123456"].map((text) => writeCount(readCount(text)))).toEqual(["100k", "10M", "123456"]);
    expect(() => readCount("many")).toThrow("not a number such as 100k");
  });
});

function resultsOf(rows: number, ...cases: CaseResult[]): Results {
  return { rows, machine: "", node: "", postgres: "", settings: {}, world: "", memory: {}, cases };
}

function total(milliseconds: number): CaseResult {
  return { ...caseOf("total"), numbers: { "ms in Postgres": milliseconds } };
}

function page(p50: number, connections = 2): CaseResult {
  const measured = { side: "ours, JSON", load: "2 at once", connections };
  const measurements = [{ ...measured, offered: 10, achieved: 10, p50, p95: 5, p99: 9 }];
  return { ...caseOf("page-fifty"), measurements, numbers: { "rows in the page": 100 } };
}

function caseOf(name: string): CaseResult {
  return {
    name,
    title: name,
    commit: "c",
    date: "d",
    command: "npm run bench",
    measurements: [],
    numbers: {},
    notes: [],
  };
}
