import fc from "fast-check";
import { anyEntry, anyKeys, anyState, anyText, callers, dates, ids, mostly, root } from "./generate-world.ts";
import type { Removal } from "./model/change.ts";
import type { Filter } from "./model/list.ts";
import type { Scope } from "./model/world.ts";
import type { ApplyOperation, Operation, PlannedChange, PlannedFilter, Since, Target } from "./operations.ts";
import { filterKinds } from "./resolve-list.ts";

/** Mostly what exists, at times what does not. */
const anyOf = (things: readonly string[]) =>
  fc.oneof({ weight: 15, arbitrary: fc.constantFrom(...things) }, { weight: 1, arbitrary: fc.constant("nowhere") });
const anyOrganization = anyOf(ids.organizations);
const anyUser = anyOf(ids.users);
const anyProject = anyOf(ids.projects);
const anyCaller = fc.constantFrom(root.userId, ...callers);

const anyTarget: fc.Arbitrary<Target> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ among: fc.constant("visible" as const), at: fc.nat(8) }) },
  { weight: 3, arbitrary: fc.record({ among: fc.constant("live" as const), at: fc.nat(8) }) },
  { weight: 2, arbitrary: fc.record({ among: fc.constant("removed" as const), at: fc.nat(8) }) },
  { weight: 1, arbitrary: fc.constantFrom(...ids.authorizations, "never was") },
);
const anySince: fc.Arbitrary<{ since?: Since }> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  { weight: 2, arbitrary: fc.constant({ since: "current" as const }) },
  { weight: 1, arbitrary: fc.record({ since: fc.constantFrom<Since>("finer", "earlier", "never") }) },
);
const anyTargetSince = fc.tuple(fc.record({ target: anyTarget }), anySince).map(([target, since]) => ({
  ...target,
  ...since,
}));
const anyRoleKeys = fc.oneof(
  { weight: 10, arbitrary: anyKeys },
  { weight: 1, arbitrary: anyKeys.map((keys) => [...keys, "no role"]) },
);

const methods = ["EQUALS", "STARTS_WITH", "CONTAINS", "ENDS_WITH"]
  .flatMap((name) => [name, `${name}_IGNORE_CASE`])
  .map((name) => `TEXT_FILTER_METHOD_${name}`);

const anyMethod = fc.constantFrom(...methods);
const anyId = (kind: string, things: readonly string[]) =>
  fc
    .oneof({ weight: 6, arbitrary: anyOf(things) }, { weight: 1, arbitrary: fc.constant("") })
    .map((id): Filter => ({ [kind]: { id } }) as Filter);
const anyWanted = (kind: string, field: string, minLength: number) =>
  fc
    .tuple(fc.oneof(anyText(minLength, 2), fc.constantFrom(...ids.roleKeys)), anyMethod)
    .map(([text, method]): Filter => ({ [kind]: { [field]: text, method } }) as Filter);

/** Mostly what the caller sees. */
const anySeen: fc.Arbitrary<Target> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ among: fc.constant("visible" as const), at: fc.nat(8) }) },
  { weight: 1, arbitrary: anyTarget },
);

const anyNear = fc.record({
  near: anySeen,
  kind: fc.constantFrom(...filterKinds),
  method: anyMethod,
  from: fc.nat(4),
  length: fc.integer({ min: 1, max: 3 }),
  swapCase: mostly(false),
});

const anyFilter: fc.Arbitrary<PlannedFilter> = fc.oneof(
  { weight: 40, arbitrary: anyNear },
  fc.array(anyTarget, { maxLength: 4 }).map((targets) => ({ targets })),
  fc.subarray([...ids.users, "nobody"]).map((users) => ({ inUserIds: { ids: users } })),
  anyId("userId", ids.users),
  anyId("organizationId", ids.organizations),
  anyId("userOrganizationId", ids.organizations),
  anyId("projectId", ids.projects),
  anyId("projectGrantId", ["", ...ids.projectGrants]),
  anyState.map((state) => ({ state: { state } })),
  anyWanted("userPreferredLoginName", "loginName", 1),
  anyWanted("userDisplayName", "displayName", 1),
  anyWanted("projectName", "name", 0),
  anyWanted("roleKey", "key", 0),
);

const sortingColumns = ["UNSPECIFIED", "CREATED_DATE", "CHANGED_DATE", "ID", "USER_ID"]
  .concat(["PROJECT_ID", "ORGANIZATION_ID", "USER_ORGANIZATION_ID"])
  .map((name) => `AUTHORIZATION_FIELD_NAME_${name}`);

const anyPage = fc.record({
  offset: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom<number | string>(0, 0, 0, 0, 0, 1, 2, 5) },
    { weight: 1, arbitrary: fc.constantFrom<number | string>("9223372036854775808", "18446744073709551615") },
  ),
  limit: fc.oneof({ weight: 20, arbitrary: fc.nat(5) }, { weight: 1, arbitrary: fc.constantFrom(1_000, 1_001) }),
  asc: fc.boolean(),
});

/** Filters that are about the same authorization match at least that one. */
const anyFilters = fc
  .tuple(fc.array(anyFilter, { maxLength: 3 }), anySeen, mostly(true))
  .map(([filters, near, isSame]) =>
    filters.map((filter) => ("near" in filter && isSame ? { ...filter, near } : filter)),
  );

const anyList = fc
  .record(
    { pagination: anyPage, sortingColumn: fc.constantFrom(...sortingColumns), filters: anyFilters },
    { requiredKeys: ["filters"] },
  )
  .map((list) => ({ list }));

/** Mostly where there is something to be assigned. */
const anyPlaced = fc
  .record({ isPlaced: mostly(true), place: fc.nat(8), onlyAssignable: mostly(true) })
  .map(({ isPlaced, place, onlyAssignable }) => (isPlaced ? { place, onlyAssignable } : { onlyAssignable }));

const anyCreate = fc
  .tuple(
    fc.record({ userId: anyUser, projectId: anyProject, organizationId: anyOrganization, roleKeys: anyRoleKeys }),
    anyPlaced,
  )
  .map(([create, placed]) => ({ ...create, ...placed }))
  .map((create) => ({ create }));

const anyUpdate = fc
  .record({
    target: anyTargetSince,
    roleKeys: fc.oneof({ weight: 5, arbitrary: anyRoleKeys }, { weight: 1, arbitrary: fc.constant("same" as const) }),
    onlyAssignable: mostly(true),
  })
  .map(({ target, ...keys }) => ({ update: { ...target, ...keys } }));

/** The answer depends on who holds what today where it was. */
const anyDeleteAgain = fc
  .nat(8)
  .map((at) => ({ as: "everybody", delete: { target: { among: "removed" as const, at } } }));

const anyRemoval: fc.Arbitrary<Removal> = fc.oneof(
  { weight: 1, arbitrary: anyOrganization.map((organizationId) => ({ organizationId })) },
  { weight: 1, arbitrary: anyUser.map((userId) => ({ userId })) },
  { weight: 2, arbitrary: anyProject.map((projectId) => ({ projectId })) },
  { weight: 8, arbitrary: fc.record({ projectRole: fc.record({ projectId: anyProject, key: anyOf(ids.roleKeys) }) }) },
  { weight: 4, arbitrary: anyOf(ids.projectGrants).map((projectGrantId) => ({ projectGrantId })) },
  {
    weight: 2,
    arbitrary: fc.tuple(anyUser, anyEntry).map(([userId, { scope }]) => ({ administrator: { userId, ...scope } })),
  },
  { weight: 2, arbitrary: anyOf(ids.authorizations).map((authorizationId) => ({ authorizationId })) },
);

const anyInvalidEntry: fc.Arbitrary<{ scope: Scope; roles: string[] }> = fc.record({
  scope: fc.constantFrom<Scope>({ instance: true }, { organizationId: "acme" }, { projectId: "shop" }),
  roles: fc.constantFrom(["PROJECT_GRANT_OWNER"], ["org_owner"], ["constructor"], ["ORG_OWNER", "IAM_OWNER"]),
});

const anyAdministrator = fc
  .tuple(
    anyUser,
    fc.oneof(
      { weight: 12, arbitrary: anyEntry },
      { weight: 2, arbitrary: anyEntry.map(({ scope }) => ({ scope, roles: [] })) },
      { weight: 1, arbitrary: anyInvalidEntry },
    ),
  )
  .map(([userId, { scope, roles }]) => ({ administrator: { userId, ...scope, roles } }));

const anyAuthorization = fc
  .tuple(
    fc.record(
      {
        target: fc.oneof(anyTarget, fc.constantFrom(...ids.authorizations)),
        userId: anyUser,
        projectId: anyProject,
        organizationId: anyOrganization,
        roleKeys: anyRoleKeys,
        state: anyState,
        creationDate: fc.constantFrom(...dates),
        changeDate: fc.constantFrom(...dates),
      },
      { requiredKeys: ["target", "userId", "projectId", "organizationId", "roleKeys"] },
    ),
    anyPlaced,
  )
  .map(([authorization, placed]) => ({ authorization: { ...authorization, ...placed } }));

const anyThing: fc.Arbitrary<PlannedChange["change"]> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ id: anyOrganization, name: anyText(1) }).map((organization) => ({ organization })),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({
        id: anyUser,
        organizationId: anyOrganization,
        preferredLoginName: anyText(1),
        displayName: anyText(0),
        avatarUrl: fc.constantFrom("", "http://a.example/"),
      })
      .map((user) => ({ user })),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ id: anyProject, organizationId: anyOrganization, name: anyText(1) })
      .map((project) => ({ project })),
  },
  {
    weight: 4,
    arbitrary: fc
      .record({ projectId: anyProject, key: anyOf(ids.roleKeys), displayName: anyText(0), group: anyText(0) })
      .map((projectRole) => ({ projectRole })),
  },
  {
    weight: 5,
    arbitrary: fc
      .record({
        id: anyOf(ids.projectGrants),
        projectId: anyProject,
        organizationId: anyOrganization,
        roleKeys: anyRoleKeys,
      })
      .map((projectGrant) => ({ projectGrant })),
  },
  { weight: 3, arbitrary: anyAdministrator },
  { weight: 6, arbitrary: anyAuthorization },
);

const anyChange: fc.Arbitrary<PlannedChange["change"]> = fc.oneof(
  { weight: 2, arbitrary: anyRemoval.map((remove) => ({ remove })) },
  { weight: 3, arbitrary: anyThing },
);

const anyApply: fc.Arbitrary<{ apply: ApplyOperation }> = fc
  .record({
    changes: fc.array(fc.record({ change: anyChange, keep: mostly(true) }), { maxLength: 5, size: "max" }),
    refused: fc.constantFrom(0, 0, 0, 0, 0, 0, 1, 1, 5),
  })
  .map((apply) => ({ apply }));

/** By somebody who may, by anybody, or by the command line, which takes its time. */
const anyActor = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ as: root.userId }) },
  { weight: 2, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.constant({ as: "import" }) },
);
const anyApplication = fc.tuple(anyApply, anyActor).map(([apply, as]) => ({ ...apply, ...as }));

const anyListAdministrators = fc
  .tuple(
    fc.record({ pagination: anyPage, userId: fc.oneof(anyUser, fc.constant("")) }, { requiredKeys: [] }),
    fc.oneof(
      fc.constant({}),
      anyEntry.map(({ scope }) => scope),
    ),
  )
  .map(([request, scope]) => ({ listAdministrators: { ...request, ...scope } }));

export const anyOperation: fc.Arbitrary<Operation> = fc
  .tuple(
    anyCaller,
    fc.oneof(
      { weight: 16, arbitrary: anyList },
      { weight: 5, arbitrary: anyCreate },
      { weight: 6, arbitrary: anyUpdate },
      { weight: 3, arbitrary: anyTargetSince.map((request) => ({ delete: request })) },
      { weight: 2, arbitrary: anyDeleteAgain },
      { weight: 2, arbitrary: anyTargetSince.map((request) => ({ activate: request })) },
      { weight: 2, arbitrary: anyTargetSince.map((request) => ({ deactivate: request })) },
      { weight: 7, arbitrary: anyApplication },
      { weight: 1, arbitrary: anyListAdministrators },
      { weight: 1, arbitrary: fc.constantFrom(...ids.users).map((token) => ({ token })) },
    ),
  )
  .map(([as, operation]) => ({ as, ...operation }) as Operation);
