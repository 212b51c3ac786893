import fc from "fast-check";
import { methods } from "../support/list-requests.ts";
import { anyOf, anyTarget, anyUser } from "./generate-names.ts";
import { anyEntry, anyState, anyText, as, ids, mostly, oneOf } from "./generate-world.ts";
import { type Filter, filterKinds, sortingColumns, textFields } from "./model/list.ts";
import { administratorRoles } from "./model/permissions.ts";
import type { PlannedFilter, Target } from "./operations.ts";

export const anyMethod = fc.constantFrom(...methods);
const anyThing = anyOf([...ids.users, ...ids.organizations, ...ids.projects, ...ids.projectGrants]);

/** Mostly what the caller sees. */
const anySeen: fc.Arbitrary<Target> = oneOf(
  [8, fc.record({ among: fc.constant("visible" as const), at: fc.nat(8) })],
  [1, anyTarget],
);

const anyNear = fc.record({
  near: anySeen,
  kind: fc.constantFrom(...Object.keys(filterKinds)),
  method: anyMethod,
  from: fc.nat(4),
  length: fc.integer({ min: 1, max: 3 }),
  swapCase: mostly(false),
});

const unrelatedKinds = Object.keys(filterKinds).filter((kind) => filterKinds[kind]?.field !== "range");

/** A filter by what has nothing to do with an authorization. */
const anyUnrelated: fc.Arbitrary<PlannedFilter> = fc
  .record({
    kind: fc.constantFrom(...unrelatedKinds),
    id: oneOf([6, anyThing], [1, fc.constant("")]),
    things: fc.uniqueArray(anyThing, { maxLength: 4 }),
    keys: fc.uniqueArray(fc.constantFrom(...ids.roleKeys), { maxLength: 3 }),
    state: anyState,
    text: fc.oneof(anyText(1, 2), fc.constantFrom(...ids.roleKeys)),
    method: anyMethod,
  })
  .map(({ kind, id, things, keys, state, text, method }) => {
    const field = filterKinds[kind]?.field ?? "";
    if (textFields.includes(field)) return { [kind]: { [field]: text, method } } as Filter;
    const values: Record<string, object> = { id: { id }, ids: { ids: things }, keys: { keys }, state: { state } };
    return { [kind]: values[field] } as Filter;
  });

const anySimple: fc.Arbitrary<PlannedFilter> = oneOf(
  [40, anyNear],
  [15, anyUnrelated],
  [1, as("targets", fc.array(anyTarget, { maxLength: 4 }))],
);

/** Up to three deep. */
function anyFilterAt(depth: number): fc.Arbitrary<PlannedFilter> {
  if (depth === 3) return anySimple;
  const below = anyFilterAt(depth + 1);
  return oneOf(
    [6, anySimple],
    [2, as("anyOfPlanned", fc.array(below, { maxLength: 3 }))],
    [1, as("allOfPlanned", fc.array(below, { minLength: 1, maxLength: 3 }))],
    [2, as("notPlanned", below)],
  );
}

/** The same, with all that is made from an authorization made from this one. */
function about(near: Target, filter: PlannedFilter): PlannedFilter {
  if ("near" in filter) return { ...filter, near };
  if ("anyOfPlanned" in filter) return { anyOfPlanned: filter.anyOfPlanned.map((each) => about(near, each)) };
  if ("allOfPlanned" in filter) return { allOfPlanned: filter.allOfPlanned.map((each) => about(near, each)) };
  return "notPlanned" in filter ? { notPlanned: about(near, filter.notPlanned) } : filter;
}

export const anyPage = fc.record({
  offset: oneOf(
    [8, fc.constantFrom<number | string>(0, 0, 0, 0, 0, 1, 2, 5)],
    [1, fc.constantFrom<number | string>("9223372036854775808", "18446744073709551615")],
  ),
  limit: oneOf([20, fc.nat(5)], [1, fc.constantFrom(1_000, 1_001)]),
  asc: fc.boolean(),
  skipTotal: mostly(false),
});

/** Filters that are about the same authorization match at least that one. */
export const anyFilters = fc
  .tuple(fc.array(anyFilterAt(1), { maxLength: 3 }), anySeen, mostly(true))
  .map(([filters, near, isSame]) => (isSame ? filters.map((filter) => about(near, filter)) : filters));

export const anyList = fc
  .record(
    { pagination: anyPage, sortingColumn: fc.constantFrom(...Object.keys(sortingColumns)), filters: anyFilters },
    { requiredKeys: ["filters"] },
  )
  .map((list) => ({ list }));

const anyRoleName = fc.constantFrom("", "IAM_ORGANIZER", ...administratorRoles);

export const anyListAdministrators = fc
  .tuple(
    fc.record(
      { pagination: anyPage, userId: fc.oneof(anyUser, fc.constant("")), role: anyRoleName },
      { requiredKeys: [] },
    ),
    fc.oneof(
      fc.constant({}),
      anyEntry.map(({ scope }) => scope),
    ),
  )
  .map(([request, scope]) => ({ listAdministrators: { ...request, ...scope } }));
