import { parseSearchWith, stringifySearchWith } from "@tanstack/react-router";
import { expect, it } from "vitest";
import { requestOf } from "../../src/history/request.ts";
import { type HistorySearch, isFiltered, readHistorySearch, withFilter } from "../../src/history/search.ts";

const now = new Date("2026-11-18T15:00:00Z");

const everything: HistorySearch = {
  user: "bob",
  actor: "carol",
  project: "shop",
  organization: "12",
  assignment: "a-1",
  types: ["changed", "cascade.removed"],
  from: "2026-11-01T00:00:00.000Z",
  to: "2026-11-02T00:00:00.000Z",
  page: "token",
  skipped: 100,
};

it.each([{}, everything, { actor: "" }, { when: "last-week" }, { user: "true", project: "007" }] as HistorySearch[])(
  "an address keeps what it was made of: %j",
  (search) => {
    const address = stringifySearchWith(JSON.stringify, JSON.parse)(search);
    expect(readHistorySearch(parseSearchWith(JSON.parse)(address))).toEqual(search);
  },
);

it("filters of an address that cannot be read are named, whatever else it has", () => {
  const search = { user: "", types: ["constructor"], when: "toString", from: "soon", to: 7, project: "shop" };
  expect(readHistorySearch(search)).toEqual({ project: "shop", unreadable: ["user", "types", "when", "from", "to"] });
  expect(readHistorySearch({ types: ["changed", "moved"] })).toEqual({ unreadable: ["types"] });
});

it("what an address cannot ask for of pages is left out, and what it asks for with an empty list is everything", () => {
  expect(readHistorySearch({ skipped: 3, types: [] })).toEqual({});
});

it("ids that look like numbers or true are ids", () => {
  expect(readHistorySearch({ user: 12, project: true })).toEqual({ user: "12", project: "true" });
});

it("days counted from today stand instead of moments", () => {
  expect(readHistorySearch({ when: "today", from: "2026-11-01T00:00:00Z" })).toEqual({ when: "today" });
});

it("the service is asked with its own filters", () => {
  const { filters, pagination } = requestOf(everything, now);
  expect(pagination).toEqual({ limit: 100, pageToken: "token" });
  expect(filters?.map(({ filter }) => filter?.case)).toEqual([
    "userId",
    "actorId",
    "projectId",
    "organizationId",
    "authorizationId",
    "types",
    "time",
  ]);
  expect(filters?.[5]?.filter?.value).toEqual({ types: ["user.grant.changed", "user.grant.cascade.removed"] });
  expect(filters?.[6]?.filter?.value).toMatchObject({ from: { seconds: 1793491200n }, to: { seconds: 1793577600n } });
});

it("the command line is the actor with the empty id, and no actor asks for all", () => {
  expect(requestOf({ actor: "" }, now).filters).toEqual([{ filter: { case: "actorId", value: { id: "" } } }]);
  expect(requestOf({}, now).filters).toEqual([]);
});

it("another filter begins at the first page, and one taken away leaves nothing behind", () => {
  expect(withFilter({ user: "bob", page: "token", skipped: 100 }, { actor: "" })).toEqual({ user: "bob", actor: "" });
  expect(withFilter({ user: "bob", types: ["added"] }, { user: undefined, types: [] })).toEqual({});
});

it("a page alone is no filter", () => {
  expect(isFiltered({ page: "token", skipped: 100 })).toBe(false);
  expect(isFiltered({ actor: "" })).toBe(true);
});
