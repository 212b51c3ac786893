import { expect, it } from "vitest";
import { appliedTo, differenceOf, sentenceOf } from "../../src/changes/role-difference.ts";

const keys = (...all: string[]) => new Set(all);

it("a difference says what is added and what is removed", () => {
  const difference = differenceOf(keys("a", "b"), keys("d", "b", "c"));
  expect(difference).toEqual({ added: ["c", "d"], removed: ["a"] });
  expect(sentenceOf(difference, (key) => key.toUpperCase())).toBe("adds C, D; removes A");
});

it("a difference applies to what someone else has made of it, and keeps the rest of that", () => {
  const difference = differenceOf(keys("a", "b"), keys("b", "c"));
  expect(appliedTo(keys("a", "x"), difference)).toEqual(keys("x", "c"));
});
