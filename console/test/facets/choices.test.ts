import { type AuthorizationsSearchFilter, State } from "@authorization-service/client";
import { expect, it } from "vitest";
import { writtenFilters } from "../../src/assignments/search.ts";
import { choicesIn, countedWith, withChoice, withChoices } from "../../src/facets/choices.ts";
import { asFilter } from "../../src/filters/content.ts";

type Filters = readonly AuthorizationsSearchFilter[];

const shop = asFilter({ case: "projectId", value: { id: "shop" } });
const auditor = asFilter({ case: "roleKeys", value: { keys: ["auditor"] } });
const active = asFilter({ case: "state", value: { state: State.ACTIVE } });
const others = [
  asFilter({ case: "roleKeys", value: { keys: ["auditor", "seller"] } }),
  asFilter({ case: "not", value: shop }),
  asFilter({ case: "projectName", value: { name: "Shop" } }),
];

const written = (filters: Filters) => writtenFilters(filters);

it("reads what was chosen, and leaves filters alone that no click makes", () => {
  expect(choicesIn([...others, shop, auditor, active])).toEqual({
    project: "shop",
    role: "auditor",
    state: String(State.ACTIVE),
  });
  expect(choicesIn(others)).toEqual({});
});

it("a choice is a filter in the address, changed in its place and removed again", () => {
  const chosen = withChoice([...others, shop], "organization", "acme");
  expect(written(chosen)?.valueOf()).toEqual(
    written([...others, shop, asFilter({ case: "organizationId", value: { id: "acme" } })]),
  );
  const changed = withChoice([active, shop], "state", String(State.INACTIVE));
  expect(written(changed)).toEqual(written([asFilter({ case: "state", value: { state: State.INACTIVE } }), shop]));
  expect(written(withChoice(chosen, "organization", undefined))).toEqual(written([...others, shop]));
});

it("a role goes with its project", () => {
  expect(choicesIn(withChoice([shop, auditor], "project", undefined))).toEqual({});
  expect(choicesIn(withChoice([shop, auditor], "project", "wiki"))).toEqual({ project: "wiki" });
  expect(choicesIn(withChoice([shop, auditor], "project", "shop"))).toEqual({ project: "shop", role: "auditor" });
});

it("a role without a project stays when a project is chosen for it", () => {
  expect(choicesIn(withChoice([auditor], "project", "shop"))).toEqual({ project: "shop", role: "auditor" });
});

it("a facet is counted without its own choice, and a project without its role", () => {
  const chosen = [...others, shop, auditor, active];
  expect(written(countedWith(chosen, "state"))).toEqual(written([...others, shop, auditor]));
  expect(written(countedWith(chosen, "role"))).toEqual(written([...others, shop, active]));
  expect(written(countedWith(chosen, "project"))).toEqual(written([...others, active]));
  expect(countedWith(chosen, "organization")).toBe(chosen);
  const wiki = withChoices(chosen, { project: "wiki", role: "editor" });
  expect(choicesIn(wiki)).toEqual({ project: "wiki", role: "editor", state: String(State.ACTIVE) });
});
