import { type AuthorizationsSearchFilter, State, TextFilterMethod } from "@authorization-service/client";
import { expect, it } from "vitest";
import { filtersOf, writtenFilters } from "../../src/assignments/search.ts";
import { asFilter } from "../../src/filters/content.ts";
import { quickSearchIn, withQuickSearch } from "../../src/filters/filter-bar.tsx";

const project = asFilter({ case: "projectId", value: { id: "shop" } });
const active = asFilter({ case: "state", value: { state: State.ACTIVE } });

it("a search is read back from the address that has it", () => {
  const written = writtenFilters(withQuickSearch([project], "Ann"));
  if (written === undefined) throw new Error("nothing is written");
  expect(quickSearchIn(filtersOf({ filters: written }))).toEqual({ index: 0, content: "Ann" });
});

it("a search keeps its place among the filters, and leaves it when the text is empty", () => {
  const filters = [project, ...withQuickSearch([], "Ann"), active];
  expect(quickSearchIn(withQuickSearch(filters, "Bob"))).toEqual({ index: 1, content: "Bob" });
  expect(withQuickSearch(filters, "")).toEqual([project, active]);
});

it("login name and name are a search in either order", () => {
  const [login, name] = pair("Ann", "Ann");
  expect(quickSearchIn([asFilter({ case: "anyOf", value: { filters: [name, login] } })])?.content).toBe("Ann");
  expect(quickSearchIn([asFilter({ case: "anyOf", value: { filters: [login, name] } })])?.content).toBe("Ann");
});

it("what only resembles a search is a filter of its own", () => {
  const { CONTAINS } = TextFilterMethod;
  const others = [
    asFilter({ case: "allOf", value: { filters: pair("Ann", "Ann") } }),
    asFilter({ case: "anyOf", value: { filters: pair("Ann", "Bob") } }),
    asFilter({ case: "anyOf", value: { filters: pair("Ann", "Ann", CONTAINS) } }),
    asFilter({ case: "anyOf", value: { filters: pair("", "") } }),
    asFilter({ case: "anyOf", value: { filters: [...pair("Ann", "Ann"), project] } }),
    asFilter({ case: "anyOf", value: { filters: pair("Ann", "Ann").slice(0, 1) } }),
  ];
  expect(others.map((filter) => quickSearchIn([filter]))).toEqual(others.map(() => undefined));
});

function pair(
  loginName: string,
  displayName: string,
  method: TextFilterMethod = TextFilterMethod.CONTAINS_IGNORE_CASE,
): [AuthorizationsSearchFilter, AuthorizationsSearchFilter] {
  return [
    asFilter({ case: "userPreferredLoginName", value: { loginName, method } }),
    asFilter({ case: "userDisplayName", value: { displayName, method } }),
  ];
}
