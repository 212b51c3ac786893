import {
  type AuthorizationsSearchFilter,
  AuthorizationsSearchFilterSchema,
  State,
} from "@authorization-service/client";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { createValidator } from "@bufbuild/protovalidate";
import fc from "fast-check";
import { expect, it } from "vitest";
import { AuthorizationsSearchFilterSchema as ServiceSchema } from "../../../gen/service/authorization/v2/authorization_pb.ts";
import { asFilter, countOf, kindNames } from "../../src/filters/content.ts";
import { depthOf, mayStandAt, problemOf, problemOfAll } from "../../src/filters/limits.ts";
import { sampled } from "./samples.ts";

const validator = createValidator();

/** Whether the rules of the proto refuse it. */
function isRefused(filter: AuthorizationsSearchFilter): boolean {
  const sent = fromBinary(ServiceSchema, toBinary(AuthorizationsSearchFilterSchema, filter));
  return validator.validate(ServiceSchema, sent).kind !== "valid";
}

it.each(sampled)("$kind as the service takes it has no problem", ({ filter }) => {
  expect(isRefused(filter)).toBe(false);
  expect(problemOfAll(filter, 50)).toBeUndefined();
});

const text = fc.oneof(
  fc.string(),
  fc.constantFrom("", "x", "x".repeat(200), "x".repeat(201), "🦊".repeat(200), "🦊".repeat(201)),
);
const method = fc.integer({ min: 0, max: 8 });
const list = fc.oneof(
  fc.array(text, { maxLength: 4 }),
  fc.constantFrom(999, 1000, 1001).map((length) => Array.from({ length }, (_, id) => `${id}`)),
);
const end = fc.option(fc.record({ seconds: fc.bigInt({ min: -2n, max: 2n }), nanos: fc.integer({ min: 0, max: 2 }) }), {
  nil: undefined,
});
const range = fc.record({ from: end, to: end }).map(({ from, to }) => ({ ...(from && { from }), ...(to && { to }) }));

type Filter = Parameters<typeof asFilter>[0];

const leaf: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({ displayName: text, method }).map((value) => ({ case: "userDisplayName", value }) as Filter),
  fc.record({ loginName: text, method }).map((value) => ({ case: "userPreferredLoginName", value }) as Filter),
  fc.record({ name: text, method }).map((value) => ({ case: "organizationName", value }) as Filter),
  fc.record({ name: text, method }).map((value) => ({ case: "projectName", value }) as Filter),
  fc.record({ key: text, method }).map((value) => ({ case: "roleKey", value }) as Filter),
  fc
    .tuple(fc.constantFrom("userId", "projectId", "organizationId", "userOrganizationId", "projectGrantId"), text)
    .map(([kind, id]) => ({ case: kind, value: { id } }) as Filter),
  fc
    .tuple(fc.constantFrom("inUserIds", "projectIds", "authorizationIds"), list)
    .map(([kind, ids]) => ({ case: kind, value: { ids } }) as Filter),
  list.map((keys) => ({ case: "roleKeys", value: { keys } }) as Filter),
  fc.integer({ min: 0, max: 3 }).map((state) => ({ case: "state", value: { state } }) as Filter),
  fc.tuple(fc.constantFrom("created", "changed"), range).map(([kind, value]) => ({ case: kind, value }) as Filter),
  fc.constant<Filter>({ case: undefined }),
);
const group: fc.Arbitrary<Filter> = fc.oneof(
  leaf,
  leaf.map((filter) => ({ case: "not", value: { filter } }) as Filter),
  fc
    .tuple(fc.constantFrom("anyOf", "allOf"), fc.array(leaf, { maxLength: 3 }))
    .map(([kind, filters]) => ({ case: kind, value: { filters: filters.map((filter) => ({ filter })) } }) as Filter),
);

it("whatever the service refuses has a problem, told in words", () => {
  fc.assert(
    fc.property(group, (written) => {
      const filter = asFilter(written);
      if (isRefused(filter)) expect(problemOfAll(filter, 50)).toMatch(/\.$/);
    }),
    { numRuns: 1000 },
  );
});

it.each([
  [{ case: "userDisplayName", value: {} }, "Type what to look for."],
  [{ case: "roleKey", value: { key: "x".repeat(201) } }, "Use at most 200 characters, not 201."],
  [{ case: "roleKey", value: { key: "\ud800" } }, "It has a character that no name can have."],
  [{ case: "roleKey", value: { key: "a\0" } }, "It has a character that no name can have."],
  [{ case: "userId", value: {} }, "Pick a person."],
  [{ case: "projectId", value: {} }, "Pick a project."],
  [{ case: "userOrganizationId", value: {} }, "Pick an organization."],
  [{ case: "projectIds", value: {} }, "Enter at least one."],
  [{ case: "roleKeys", value: { keys: ["a", "b", "a"] } }, "“a”: It is there twice."],
  [
    { case: "roleKeys", value: { keys: ["x".repeat(201)] } },
    `“${"x".repeat(30)}…”: Use at most 200 characters, not 201.`,
  ],
  [
    { case: "authorizationIds", value: { ids: Array.from({ length: 1001 }, (_, id) => `${id}`) } },
    "Enter at most 1,000, not 1,001.",
  ],
  [{ case: "state", value: { state: State.UNSPECIFIED } }, "Pick a state."],
  [{ case: "created", value: {} }, "Enter a start, an end, or both."],
  [{ case: "changed", value: { from: { seconds: 1n, nanos: 1 }, to: { seconds: 1n } } }, "The start is after the end."],
  [{ case: "changed", value: { to: { seconds: 253_402_300_800n } } }, "Enter years from 1 to 9999."],
  [{ case: "allOf", value: {} }, "Add at least one filter."],
  [{ case: undefined }, "Choose what to filter by."],
] satisfies [Filter, string][])("$1", (filter, problem) => {
  expect(problemOf(asFilter(filter))).toBe(problem);
});

it("lengths count characters, however many units of UTF-16 they take", () => {
  expect(problemOf(asFilter({ case: "roleKey", value: { key: "🦊".repeat(200) } }))).toBeUndefined();
  expect(problemOf(asFilter({ case: "roleKey", value: { key: "🦊".repeat(201) } }))).toMatch(/not 201/);
});

it("an empty grant has no problem: it means owned", () => {
  expect(problemOf(asFilter({ case: "projectGrantId", value: {} }))).toBeUndefined();
});

const state = { filter: { case: "state" as const, value: { state: State.ACTIVE } } };
const nested = asFilter({ case: "not", value: { filter: { case: "anyOf", value: { filters: [state, state] } } } });

it("every filter counts, at every depth", () => {
  expect(countOf([asFilter(state.filter)])).toBe(1);
  expect(countOf([nested, nested])).toBe(8);
  expect(depthOf(nested)).toBe(3);
});

it("three filters may stand in one another, and no more", () => {
  expect(problemOfAll(nested, 50)).toBeUndefined();
  expect(problemOfAll(asFilter({ case: "not", value: nested }), 50)).toMatch(/further groups/);
});

it("at the third depth no group is offered", () => {
  expect(kindNames.filter((kind) => mayStandAt(2, kind))).toEqual(kindNames);
  expect(kindNames.filter((kind) => !mayStandAt(3, kind))).toEqual(["anyOf", "allOf", "not"]);
});

it("there is room for fifty in all", () => {
  expect(problemOfAll(nested, 4)).toBeUndefined();
  expect(problemOfAll(nested, 3)).toBe("There can be at most 50 filters. Remove 1.");
});
