import { State, TextFilterMethod } from "@authorization-service/client";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { asFilter, type Kind } from "../../src/filters/kinds.ts";

type Filter = Parameters<typeof asFilter>[0];

const method = TextFilterMethod.CONTAINS_IGNORE_CASE;

/** A filter of every kind that the service takes, with its words: a new kind does not compile until it is here. */
const samples: { readonly [K in Kind]: readonly [Extract<Filter, { case: K }>["value"], string] } = {
  userDisplayName: [{ displayName: "Ann", method }, "Person's name contains “Ann”"],
  userPreferredLoginName: [{ loginName: "ann@", method }, "Login name contains “ann@”"],
  userId: [{ id: "ann" }, "Person is ann"],
  inUserIds: [{ ids: ["ann", "bob"] }, "Person is ann or bob"],
  userOrganizationId: [{ id: "acme" }, "Person's own organization is acme"],
  organizationName: [{ name: "Acme", method }, "Organization name contains “Acme”"],
  organizationId: [{ id: "acme" }, "Organization is acme"],
  projectName: [{ name: "Shop", method }, "Project name contains “Shop”"],
  projectId: [{ id: "shop" }, "Project is shop"],
  projectIds: [{ ids: ["shop", "wiki", "blog", "news", "desk"] }, "Project is shop, wiki, blog or 2 more"],
  projectGrantId: [{ id: "shop-to-globex" }, "Project is granted: shop-to-globex"],
  roleKey: [{ key: "sell", method }, "Role key contains “sell”"],
  roleKeys: [{ keys: ["seller", "buyer", "auditor"] }, "Role is seller, buyer or auditor"],
  state: [{ state: State.INACTIVE }, "State is inactive"],
  created: [
    { from: timestampFromDate(new Date(2026, 10, 1)), to: timestampFromDate(new Date(2026, 10, 8)) },
    `Created from ${day(2026, 10, 1)} until before ${day(2026, 10, 8)}`,
  ],
  changed: [{ from: timestampFromDate(new Date(2026, 10, 1)) }, `Changed from ${day(2026, 10, 1)} on`],
  authorizationIds: [{ ids: ["a-00001"] }, "Assignment id is a-00001"],
  anyOf: [
    { filters: [{ filter: { case: "userId", value: { id: "ann" } } }, stateFilter()] },
    "Any of: Person is ann; State is active",
  ],
  allOf: [
    { filters: [{ filter: { case: "not", value: stateFilter() } }, stateFilter()] },
    "All of: (Not: State is active); State is active",
  ],
  not: [stateFilter(), "Not: State is active"],
};

export const sampled = Object.entries(samples).map(([kind, [value, words]]) => ({
  kind: kind as Kind,
  filter: asFilter({ case: kind, value } as Filter),
  words,
}));

function stateFilter(): MessageInitShape<
  typeof import("@authorization-service/client").AuthorizationsSearchFilterSchema
> {
  return { filter: { case: "state", value: { state: State.ACTIVE } } };
}

function day(year: number, month: number, date: number): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: "medium" }).format(new Date(year, month, date));
}
