import { describe, expect, test } from "vitest";
import { withBeginning, withSection } from "../../bench/pairs/section.ts";
import { type Measured, verdictOf } from "../../bench/pairs/verdict.ts";
import { kindOf } from "../../bench/sizing/processors.ts";

describe("a side of pairs", () => {
  const rounds = (again: readonly number[], other: readonly number[]): Measured[][] =>
    again.map((one, round) => [sideOf(1), sideOf(one), sideOf(other[round] ?? 1)]);
  const sideOf = (rate: number): Measured => ({ rate: 100 * rate, cost: 10 / rate });

  test("is within 3% by its median, whatever single rounds did", () => {
    expect(verdictOf(rounds([1, 1, 1], [0.7, 0.98, 1.4]), 2)).toBe("within 3%");
  });

  test("may differ as much as the base differs from itself", () => {
    expect(verdictOf(rounds([0.9, 1, 1.1], [0.94, 0.94, 0.94]), 2)).toBe("within the spread of the base");
  });

  test("differs beyond both", () => {
    expect(verdictOf(rounds([0.99, 1, 1.01], [0.94, 0.94, 0.94]), 2)).toBe("**differs**");
  });
});

describe("a section of a document", () => {
  const document = "# Title\n\nText.\n\n## One\n\nold\n\n## Two\n\nkept\n";

  test("is replaced, and the others stay", () => {
    expect(withSection(document, "One", "new\n")).toBe("# Title\n\nText.\n\n## One\n\nnew\n\n## Two\n\nkept\n");
  });

  test("stays when the beginning is replaced", () => {
    expect(withBeginning(document, "# Other\n")).toBe("# Other\n\n## One\n\nold\n\n## Two\n\nkept\n");
  });

  test("is added at the end if there is none", () => {
    expect(withSection(document, "Three", "new")).toBe(`${document}\n## Three\n\nnew\n`);
  });
});

test("processes of Postgres are told apart by their titles", () => {
  const titles = {
    "postgres: postgres world [local] idle": "backends",
    "postgres: checkpointer ": "background",
    "postgres: io worker 1": "background",
    "postgres: walsender postgres [local] streaming 0/3": "senders",
    "postgres: startup recovering 000000010000000000000003": "replay",
    "postgres: walreceiver streaming 0/3": "replay",
  };
  expect(Object.keys(titles).map(kindOf)).toEqual(Object.values(titles));
});
