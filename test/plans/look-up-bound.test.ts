import { expect, test } from "vitest";
import { lookUpBound } from "./look-up-bound.ts";
import type { LookUpCase } from "./look-up-cases.ts";

const users = lookUp("users");

test("a look-up may read what is within reach or what filters match, whichever is fewer", () => {
  const bound = (reachable: number, matched: number | undefined) =>
    lookUpBound(users, { reachable, matched, members: 0 }, 0);
  expect(bound(3, 1_000_000)).toBe(bound(3, undefined));
  expect(bound(1_000_000, 10)).toBeLessThan(bound(1_000_000, undefined));
  expect(bound(1_000_000, 10)).toBe(bound(500_000, 10));
});

test("without filters and total no more may be read the more there is", () => {
  const bound = (reachable: number) =>
    lookUpBound(lookUp("users", true), { reachable, matched: undefined, members: 0 }, 100);
  expect(bound(2_000_000)).toBe(bound(200_000));
  expect(bound(3)).toBeLessThan(bound(200_000));
});

test("members count for users alone, and up to as many as are counted", () => {
  const bound = (one: LookUpCase, members: number) => lookUpBound(one, { reachable: 1, matched: 1, members }, 0);
  expect(bound(users, 10) - bound(users, 0)).toBe(10);
  expect(bound(users, 2_000_000)).toBe(bound(users, 1_000_000));
  expect(bound(lookUp("organizations"), 10)).toBe(bound(lookUp("organizations"), 0));
});

function lookUp(things: LookUpCase["things"], skipTotal = false): LookUpCase {
  return { name: "", things, query: { filters: [], after: undefined, offset: 0n, limit: 100, skipTotal } };
}
