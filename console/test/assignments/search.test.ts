import { AuthorizationFieldName } from "@authorization-service/client";
import { createMemoryHistory } from "@tanstack/react-router";
import { expect, it } from "vitest";
import {
  FiltersUnreadable,
  filtersOf,
  readAssignmentsSearch,
  requestOf,
  withFilters,
  writtenFilters,
} from "../../src/assignments/search.ts";
import { consoleRouter } from "../../src/router.tsx";

it("an address without a search shows the newest hundred", () => {
  expect(readAssignmentsSearch({})).toEqual({});
  expect(requestOf({}, [])).toEqual({
    filters: [],
    sortingColumn: AuthorizationFieldName.CREATED_DATE,
    pagination: { limit: 100, asc: false, pageToken: "" },
  });
});

it("what an address cannot ask for is left out", () => {
  const search = { sort: "constructor", asc: "yes", limit: 7, skipped: -1, hidden: "roles", id: "" };
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

it.each(["007", "1e3", "12", "true", "null", '"x"', "[]", "a b", "-1", "9007199254740993", "%", "{"])(
  "the id %s stays what it is, in a link of the page and in one written by hand",
  async (id) => {
    const { buildLocation, options } = consoleRouter(createMemoryHistory());
    const { searchStr } = buildLocation({ to: "/assignments", search: { id } });
    expect(readAssignmentsSearch(options.parseSearch(searchStr))).toEqual({ id });
    const byHand = readAssignmentsSearch(options.parseSearch(`?id=${encodeURIComponent(id)}`));
    if (id !== '"x"' && id !== "[]") expect(byHand).toEqual({ id });
  },
);
