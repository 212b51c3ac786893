import { type AuthorizationsSearchFilter, TextFilterMethod } from "@authorization-service/client";
import { expect, it } from "vitest";
import { asFilter } from "../../src/filters/content.ts";
import { projectIn, type Word, wordsOf } from "../../src/filters/filter-words.tsx";
import { sampled } from "./samples.ts";

it.each(sampled)("$kind reads: $words", ({ filter, words }) => {
  expect(read(filter)).toBe(words);
});

it.each([
  ["CONTAINS", "Role key contains exactly “x”"],
  ["CONTAINS_IGNORE_CASE", "Role key contains “x”"],
  ["EQUALS", "Role key is exactly “x”"],
  ["EQUALS_IGNORE_CASE", "Role key is “x”"],
  ["STARTS_WITH", "Role key begins exactly with “x”"],
  ["STARTS_WITH_IGNORE_CASE", "Role key begins with “x”"],
  ["ENDS_WITH", "Role key ends exactly with “x”"],
  ["ENDS_WITH_IGNORE_CASE", "Role key ends with “x”"],
] satisfies [keyof typeof TextFilterMethod, string][])("a text by %s reads: %s", (method, words) => {
  expect(read(asFilter({ case: "roleKey", value: { key: "x", method: TextFilterMethod[method] } }))).toBe(words);
});

it("every method has words of its own", () => {
  const words = Object.values(TextFilterMethod).map((method) =>
    read(asFilter({ case: "roleKey", value: { key: "x", method } })),
  );
  expect(new Set(words).size).toBe(Object.values(TextFilterMethod).length);
  expect(words.join()).not.toContain("compares with");
});

it("the empty grant means owned projects", () => {
  expect(read(asFilter({ case: "projectGrantId", value: {} }))).toBe("Project is owned, not granted");
});

it("no role with any key means no roles", () => {
  const any = { case: "roleKey" as const, value: { key: "", method: TextFilterMethod.CONTAINS } };
  expect(read(asFilter({ case: "not", value: { filter: any } }))).toBe("No roles");
  expect(read(asFilter({ case: "not", value: { filter: { ...any, value: { ...any.value, key: "x" } } } }))).not.toBe(
    "No roles",
  );
});

it("an empty id and an empty list match nothing, and say so", () => {
  expect(read(asFilter({ case: "userId", value: {} }))).toBe("Person is nothing");
  expect(read(asFilter({ case: "projectIds", value: {} }))).toBe("Project is nothing");
  expect(read(asFilter({ case: "anyOf", value: {} }))).toBe("Any of: nothing");
});

it("of many filters of a group, the first three are told", () => {
  const filter = { filter: { case: "userId" as const, value: { id: "ann" } } };
  expect(read(asFilter({ case: "anyOf", value: { filters: Array(5).fill(filter) } }))).toBe(
    "Any of: Person is ann; Person is ann; Person is ann; and 2 more",
  );
});

it("things are looked up by their ids, so that their names can be shown", () => {
  expect(wordsOf(asFilter({ case: "not", value: { filter: { case: "projectId", value: { id: "shop" } } } }))).toEqual([
    "Not: ",
    "Project is ",
    { thing: "project", id: "shop" },
  ]);
});

it("roles are looked up in the project that the filters leave, also within groups", () => {
  const roles = asFilter({ case: "roleKeys", value: { keys: ["auditor"] } });
  const shop = asFilter({ case: "projectIds", value: { ids: ["shop"] } });
  const inShop = { thing: "role", id: "auditor", project: "shop" };
  expect(wordsOf(roles, projectIn([shop]))).toContainEqual(inShop);
  expect(wordsOf(asFilter({ case: "not", value: roles }), "shop")).toContainEqual(inShop);
  expect(wordsOf(asFilter({ case: "allOf", value: { filters: [roles, shop] } }))).toContainEqual(inShop);
  const either = asFilter({ case: "anyOf", value: { filters: [roles, shop] } });
  expect(wordsOf(either)).toContainEqual("auditor");
  expect(projectIn([asFilter({ case: "projectIds", value: { ids: ["shop", "wiki"] } })])).toBeUndefined();
});

function read(filter: AuthorizationsSearchFilter): string {
  return wordsOf(filter)
    .map((word: Word) => (typeof word === "string" ? word : word.id))
    .join("");
}
