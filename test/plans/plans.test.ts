import { expect, test } from "vitest";
import { type PlanNode, scansOf } from "./explain.ts";
import { judge, type Result } from "./judge.ts";

test("a scan counts what it dropped too, in every loop", () => {
  const scan = node("Index Scan", { "Relation Name": "users", "Index Name": "users_pkey", "Actual Loops": 3 });
  expect(scansOf(node("Nested Loop", { Plans: [{ ...scan, "Rows Removed by Filter": 4 }] }))).toEqual([
    { name: "Index Scan using users_pkey on users", rows: 42 },
  ]);
  expect(scansOf({ ...scan, "Rows Removed by Index Recheck": 1 })).toMatchObject([{ rows: 33 }]);
});

test("entries of an index that are skipped count by the pages they fill", () => {
  const index = node("Bitmap Index Scan", { "Index Name": "some_index", "Index Searches": 1 });
  expect(scansOf({ ...index, "Shared Hit Blocks": 4, "Shared Read Blocks": 1 })).toMatchObject([{ rows: 10 }]);
  expect(scansOf({ ...index, "Shared Hit Blocks": 5, "Shared Read Blocks": 1_000 })).toMatchObject([{ rows: 80_000 }]);
  const parts = { ...index, "Index Cond": "(fold_case(name) ~~ '%part%'::text)", "Shared Hit Blocks": 1_000 };
  expect(scansOf(parts)).toMatchObject([{ rows: 10 }]);
  const scan = node("Index Scan", { "Relation Name": "users", "Index Name": "users_pkey", "Index Searches": 1 });
  expect(scansOf({ ...scan, "Shared Hit Blocks": 15 })).toMatchObject([{ rows: 10 }]);
});

test("a list beyond its bound fails, unless an exception excuses it and it did not get worse", () => {
  const result = { filter: "none", caller: "own", sort: "id", rows: 150, bound: 100 } as Result;
  const exception = { filters: ["none"], why: "", rows: 120, milliseconds: 1 };
  expect(judge([result], [])).toMatchObject({ failed: [result], excused: [] });
  expect(judge([result], [exception])).toEqual({ failed: [], excused: [result], unneeded: [] });
  const others = [
    { callers: ["grant"] as const },
    { sorts: ["userId"] as const },
    { filters: ["active"] },
    { rows: 50 },
  ];
  for (const other of others) {
    const elsewhere = { ...exception, ...other };
    expect(judge([result], [elsewhere])).toEqual({ failed: [result], excused: [], unneeded: [elsewhere] });
  }
});

function node(type: string, rest: Partial<PlanNode>): PlanNode {
  return { "Node Type": type, "Actual Rows": 10, "Actual Loops": 1, ...rest };
}
