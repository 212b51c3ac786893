import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { parseSearchWith, stringifySearchWith } from "@tanstack/react-router";
import { expect, it } from "vitest";
import { readPosition } from "../../src/history/entry.ts";
import type { HistorySearch } from "../../src/history/search.ts";
import { filtersOf, isFiltered, rangeOf, readHistorySearch, withFilter } from "../../src/history/search.ts";

const everything: HistorySearch = {
  user: "bob",
  actor: "carol",
  project: "shop",
  organization: "12",
  assignment: "a-1",
  types: ["changed", "cascade.removed"],
  from: "2026-11-01T00:00:00.000Z",
  to: "2026-11-02T00:00:00.000Z",
  page: "1764021845123456a42",
  skipped: 100,
};

it.each([
  {},
  everything,
  { actor: "" },
  { user: "true", project: "007" },
  { kind: "directory", kinds: ["user", "token"], project: "shop", role: "12" },
] as HistorySearch[])("an address keeps what it was made of: %j", (search) => {
  const address = stringifySearchWith(JSON.stringify, JSON.parse)(search);
  expect(readHistorySearch(parseSearchWith(JSON.parse)(address))).toEqual(search);
});

it("filters of an address that cannot be read are named, whatever else it has", () => {
  const search = { user: "", types: ["constructor"], kind: "toString", from: "soon", to: 7, project: "shop" };
  expect(readHistorySearch(search)).toEqual({ project: "shop", unreadable: ["user", "types", "kind", "from", "to"] });
  expect(readHistorySearch({ types: ["changed", "moved"] })).toEqual({ unreadable: ["types"] });
  expect(readHistorySearch({ kinds: ["user", "user"] })).toEqual({ unreadable: ["kinds"] });
  expect(readHistorySearch({ kind: "tokens", page: "of another list" })).toEqual({ unreadable: ["kind", "page"] });
});

it("what an address cannot ask for of pages is left out, and what it asks for with an empty list is everything", () => {
  expect(readHistorySearch({ skipped: 3, types: [] })).toEqual({});
});

it("ids that look like numbers or true are ids", () => {
  expect(readHistorySearch({ user: 12, project: true })).toEqual({ user: "12", project: "true" });
});

it("a filter that is not known is named, rather than that too much is listed", () => {
  expect(readHistorySearch({ user: "bob", when: "today" })).toEqual({ user: "bob", unreadable: ["when"] });
  expect(readHistorySearch({ constructor: "bob" })).toEqual({ unreadable: ["constructor"] });
});

it("a range is from moment to moment", () => {
  expect(rangeOf({ from: "2026-11-01T10:00:00.000Z" })).toEqual({
    from: timestampFromDate(new Date("2026-11-01T10:00:00Z")),
  });
  expect(rangeOf({})).toEqual({});
});

const cases = (filters: readonly { filter?: { case?: string | undefined } | undefined }[] | undefined) =>
  filters?.map(({ filter }) => filter?.case);

it("both histories are asked with their own filters", () => {
  const { types, assignment, ...shared } = everything;
  const { assignments, directory } = filtersOf(shared);
  const ofBoth = ["userId", "actorId", "projectId", "organizationId", "time"];
  expect([cases(assignments), cases(directory)]).toEqual([ofBoth, ofBoth]);
  const time = { from: { seconds: 1793491200n }, to: { seconds: 1793577600n } };
  expect(directory?.[4]?.filter?.value).toMatchObject(time);

  const ofAssignments = filtersOf({ types, assignment } as HistorySearch);
  expect(ofAssignments.assignments?.map(({ filter }) => filter?.value)).toEqual([
    { id: "a-1" },
    { types: ["user.grant.changed", "user.grant.cascade.removed"] },
  ]);
  const ofDirectory = filtersOf({ kinds: ["administrator"] });
  expect(ofDirectory.directory?.[0]?.filter).toEqual({ case: "kinds", value: { kinds: ["administrator"] } });
  const ofRole = filtersOf({ project: "shop", role: "seller" });
  expect(cases(ofRole.directory)).toEqual(["projectId", "kinds", "id"]);
});

it.each([
  [{}, "both"],
  [{ kind: "assignments" }, "assignments"],
  [{ kind: "directory" }, "directory"],
  [{ types: ["added"] }, "assignments"],
  [{ kinds: ["user"] }, "directory"],
  [{ types: ["added"], kinds: ["user"] }, "both"],
  [{ assignment: "a-1" }, "assignments"],
  [{ project: "shop", role: "seller" }, "directory"],
  [{ kind: "directory", types: ["added"] }, "neither"],
  [{ project: "shop", role: "seller", assignment: "a-1" }, "neither"],
] as [HistorySearch, string][])("a history that can't have what is looked for is not asked: %j", (search, asked) => {
  const { assignments, directory } = filtersOf(search);
  expect([assignments !== undefined, directory !== undefined]).toEqual([
    ["assignments", "both"].includes(asked),
    ["directory", "both"].includes(asked),
  ]);
});

it("a page begins where the one before ended, to the microsecond", () => {
  const behind = readPosition("1764021845123456a42");
  const { assignments } = filtersOf({ from: "2025-11-01T00:00:00.000Z" }, behind);
  expect(cases(assignments)).toEqual(["time", "time"]);
  expect(assignments?.[1]?.filter?.value).toMatchObject({ to: { seconds: 1764021845n, nanos: 123_457_000 } });
});

it("the command line is the actor with the empty id, and no actor asks for all", () => {
  const byCommand = [{ filter: { case: "actorId", value: { id: "" } } }];
  expect(filtersOf({ actor: "" })).toEqual({ assignments: byCommand, directory: byCommand });
  expect(filtersOf({})).toEqual({ assignments: [], directory: [] });
});

it("another filter begins at the first page, and one taken away leaves nothing behind", () => {
  expect(withFilter({ user: "bob", page: "1a1", skipped: 100 }, { actor: "" })).toEqual({ user: "bob", actor: "" });
  expect(withFilter({ user: "bob", types: ["added"] }, { user: undefined, types: [] })).toEqual({});
});

it("a page alone is no filter", () => {
  expect(isFiltered({ page: "1a1", skipped: 100 })).toBe(false);
  expect(isFiltered({ actor: "" })).toBe(true);
});
