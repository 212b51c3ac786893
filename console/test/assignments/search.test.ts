import { AuthorizationFieldName } from "@authorization-service/client";
import { expect, it } from "vitest";
import {
  FiltersUnreadable,
  filtersOf,
  readAssignmentsSearch,
  requestOf,
  withFilters,
  writtenFilters,
} from "../../src/assignments/search.ts";

it("an address without a search shows the newest hundred", () => {
  expect(readAssignmentsSearch({})).toEqual({});
  expect(requestOf({}, [])).toEqual({
    filters: [],
    sortingColumn: AuthorizationFieldName.CREATED_DATE,
    pagination: { limit: 100, asc: false, pageToken: "" },
  });
});

it("what an address cannot ask for is left out", () => {
  const search = { sort: "constructor", asc: "yes", limit: 7, page: 3, skipped: -1, hidden: "roles", id: "" };
  expect(readAssignmentsSearch(search)).toEqual({});
});

it("an address gives filters as the service's JSON has them", () => {
  const filters = [{ roleKey: { key: "auditor" } }, { not: { state: { state: "STATE_ACTIVE" } } }];
  const read = filtersOf(readAssignmentsSearch({ filters }));
  expect(read.map(({ filter }) => filter.case)).toEqual(["roleKey", "not"]);
  expect(writtenFilters(read)).toEqual(filters);
});

it.each([[{ userId: { id: "ann" } }], ["ann"], [[{ user: "ann" }]], [[{ userId: { name: "ann" } }]]])(
  "filters that are none are told of, not left out: %j",
  (filters) => {
    expect(() => filtersOf(readAssignmentsSearch({ filters }))).toThrow(FiltersUnreadable);
  },
);

it("other filters begin at the first page", () => {
  expect(withFilters({ sort: "changed", page: "token", skipped: 100 }, [])).toEqual({ sort: "changed" });
});

it("an id that looks like a number stays the id it is", () => {
  expect(readAssignmentsSearch({ id: 12 })).toEqual({ id: "12" });
});
