import fc from "fast-check";
import { anyMethod, anyPage } from "./generate-lists.ts";
import { anyText, mostly } from "./generate-world.ts";
import type { PlannedLookUp, PlannedLookUpFilter } from "./operations.ts";

const anyIds = (things: readonly string[]): fc.Arbitrary<PlannedLookUpFilter> =>
  fc
    .oneof(
      fc.subarray([...things, "nowhere"]),
      fc.constantFrom(...things).map((id) => [id]),
    )
    .map((some) => ({ ids: { ids: some } }));
const anyOrganizationId = (kind: string, things: readonly string[]): fc.Arbitrary<PlannedLookUpFilter> =>
  fc.constantFrom("", "nowhere", ...things).map((id) => ({ [kind]: { id } }) as PlannedLookUpFilter);
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

export type LookedUp = Readonly<Record<"organizations" | "projects" | "users", readonly string[]>>;

/** None but projects have what is assignable. */
export function anyLookUp({ organizations, projects, users }: LookedUp): fc.Arbitrary<{ lookUp: PlannedLookUp }> {
  const ofProjects = anyNamed(["name"], anyIds(projects), anyOrganizationId("inOrganizationId", organizations));
  const userNames = ["name", "displayName", "preferredLoginName"];
  const ofUsers = anyNamed(userNames, anyIds(users), anyOrganizationId("organizationId", organizations));
  return fc
    .oneof(
      anyOf("ListOrganizations", anyNamed(["name"], anyIds(organizations))),
      anyOf("ListProjects", ofProjects),
      anyOf("ListProjects", ofProjects).map((lookUp) => ({ ...lookUp, assignable: true })),
      anyOf("ListUsers", ofUsers),
    )
    .map((lookUp) => ({ lookUp }) as { lookUp: PlannedLookUp });
}
