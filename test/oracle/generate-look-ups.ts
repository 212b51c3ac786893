import fc from "fast-check";
import { anyMethod, anyPage } from "./generate-lists.ts";
import { anyText, ids, mostly } from "./generate-world.ts";
import type { PlannedLookUp, PlannedLookUpFilter } from "./operations.ts";

const anyIds = (things: readonly string[]): fc.Arbitrary<PlannedLookUpFilter> =>
  fc
    .oneof(
      fc.subarray([...things, "nowhere"]),
      fc.constantFrom(...things).map((id) => [id]),
    )
    .map((some) => ({ ids: { ids: some } }));
const anyOrganizationId = (kind: string): fc.Arbitrary<PlannedLookUpFilter> =>
  fc.constantFrom("", "nowhere", ...ids.organizations).map((id) => ({ [kind]: { id } }) as PlannedLookUpFilter);
const anyNear = (kinds: readonly string[]): fc.Arbitrary<PlannedLookUpFilter> =>
  fc.record({
    near: fc.nat(8),
    kind: fc.constantFrom(...kinds),
    method: anyMethod,
    from: fc.nat(4),
    length: fc.integer({ min: 0, max: 3 }),
    swapCase: mostly(false),
  });
const anyWanted = (kinds: readonly string[]): fc.Arbitrary<PlannedLookUpFilter> =>
  fc
    .tuple(fc.constantFrom(...kinds), anyText(0, 2), anyMethod)
    .map(([kind, text, method]) => ({ [kind]: { text, method } }) as PlannedLookUpFilter);
const anySearch: fc.Arbitrary<PlannedLookUpFilter> = anyText(1, 3).map((text) => ({ search: { text } }));

const anyNamed = (kinds: readonly string[], ...others: fc.Arbitrary<PlannedLookUpFilter>[]) =>
  fc.array(fc.oneof({ weight: 3, arbitrary: anyNear([...kinds, "search"]) }, anyWanted(kinds), anySearch, ...others), {
    maxLength: 2,
  });

const anyOf = (rpc: PlannedLookUp["rpc"], filters: fc.Arbitrary<PlannedLookUpFilter[]>) =>
  fc.record({ rpc: fc.constant(rpc), pagination: anyPage, filters }, { requiredKeys: ["rpc", "filters"] });

const ofProjects = anyNamed(["name"], anyIds(ids.projects), anyOrganizationId("inOrganizationId"));
const userNames = ["name", "displayName", "preferredLoginName"];
const ofUsers = anyNamed(userNames, anyIds(ids.users), anyOrganizationId("organizationId"));

/** None but projects have what is assignable. */
export const anyLookUp = fc
  .oneof(
    anyOf("ListOrganizations", anyNamed(["name"], anyIds(ids.organizations))),
    anyOf("ListProjects", ofProjects),
    anyOf("ListProjects", ofProjects).map((lookUp) => ({ ...lookUp, assignable: true })),
    anyOf("ListUsers", ofUsers),
  )
  .map((lookUp) => ({ lookUp }) as { lookUp: PlannedLookUp });
