import { expect, it } from "vitest";
import { filtersOf } from "../../src/assignments/search.ts";
import * as links from "../../src/overview/links.ts";

const inForce = filtersOf({ filters: [{ userId: { id: "ann" } }] });

it("without filters the table of all is the table without a search", () => {
  expect(links.tableOf([])).toEqual({});
});

it.each([
  ["other projects", links.forOtherProjects(["a", "b"]), [{ not: { projectIds: { ids: ["a", "b"] } } }]],
  [
    "other organizations",
    links.inOtherOrganizations(inForce, ["a", "b"]) ?? [],
    [{ not: { anyOf: { filters: [{ organizationId: { id: "a" } }, { organizationId: { id: "b" } }] } } }],
  ],
  [
    "a range of days",
    links.created({ from: Date.UTC(2026, 0, 5), to: Date.UTC(2026, 0, 12) }),
    [{ created: { from: "2026-01-05T00:00:00Z", to: "2026-01-12T00:00:00Z" } }],
  ],
  ["earlier days", links.created({ to: Date.UTC(2026, 0, 5) }), [{ created: { to: "2026-01-05T00:00:00Z" } }]],
])("the link of %s adds its filter to those in force", (_what, ofBar, filters) => {
  expect(links.tableOf(inForce, ofBar)).toEqual({ filters: [{ userId: { id: "ann" } }, ...filters] });
});

it("a range that ends with the last day there is has no end", () => {
  const last = Date.parse("9999-12-31T00:00:00Z");
  expect(links.tableOf([], links.created({ from: last, to: last + 86_400_000 }))).toEqual({
    filters: [{ created: { from: "9999-12-31T00:00:00Z" } }],
  });
});

it("other organizations have no link when a request has no room for the filters", () => {
  const ids = Array.from({ length: 47 }, (_, index) => `o${index}`);
  expect(links.inOtherOrganizations(inForce, ids)).toBeDefined();
  expect(links.inOtherOrganizations([...inForce, ...inForce], ids)).toBeUndefined();
  const nested = filtersOf({ filters: [{ anyOf: { filters: [{ userId: { id: "ann" } }] } }] });
  expect(links.inOtherOrganizations(nested, ids)).toBeUndefined();
});
