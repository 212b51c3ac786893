import fc from "fast-check";
import { anyApplication } from "./generate-changes.ts";
import { anyListDirectoryEvents, anyListEvents } from "./generate-events.ts";
import { anyFilters, anyList, anyListAdministrators } from "./generate-lists.ts";
import { anyLookUp } from "./generate-look-ups.ts";
import {
  anyCaller,
  anyOrganization,
  anyPlaced,
  anyProject,
  anyRoleKeys,
  anyTarget,
  anyUser,
} from "./generate-names.ts";
import { anyKeys, anyWorld, callers, ids, mostly, root } from "./generate-world.ts";
import type { Case, Operation, Since } from "./operations.ts";

const anySince: fc.Arbitrary<{ since?: Since }> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  { weight: 2, arbitrary: fc.constant({ since: "current" as const }) },
  { weight: 1, arbitrary: fc.record({ since: fc.constantFrom<Since>("finer", "earlier", "never") }) },
);
const anyTargetSince = fc.tuple(fc.record({ target: anyTarget }), anySince).map(([target, since]) => ({
  ...target,
  ...since,
}));
/** One that a request can give, or one that has passed. */
const anyEnd = fc.constantFrom("9000-01-01T00:00:00Z", "9000-01-01T00:00:00.000001Z", "2020-02-29T12:00:00Z");
const anyEnding = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  { weight: 3, arbitrary: anyEnd.map((expirationDate) => ({ expirationDate })) },
  { weight: 1, arbitrary: fc.constant({ removeExpiration: true }) },
);
const anyCreate = fc
  .tuple(
    fc.record({ userId: anyUser, projectId: anyProject, organizationId: anyOrganization, roleKeys: anyRoleKeys }),
    anyPlaced,
    fc.record({ expirationDate: anyEnd }, { requiredKeys: [] }),
  )
  .map(([create, placed, ending]) => ({ ...create, ...placed, ...ending }))
  .map((create) => ({ create }));

const anyUpdate = fc
  .record({
    target: anyTargetSince,
    roleKeys: fc.oneof({ weight: 5, arbitrary: anyRoleKeys }, { weight: 1, arbitrary: fc.constant("same" as const) }),
    onlyAssignable: mostly(true),
    ending: anyEnding,
  })
  .map(({ target, ending, ...keys }) => ({ update: { ...target, ...keys, ...ending } }));

/** Some of them twice, and in any order. */
const some = (anyItem: fc.Arbitrary<object>) =>
  fc
    .array(anyItem, { minLength: 1, maxLength: 5 })
    .chain((items) => fc.array(fc.constantFrom(...items), { maxLength: 8 }));

/** Batches of what there are single calls for. Few things to name, so that an item often names what another did. */
const anyBatch = fc
  .record({
    items: fc.oneof(
      { weight: 3, arbitrary: some(anyCreate) },
      { weight: 4, arbitrary: some(anyUpdate) },
      { weight: 2, arbitrary: some(anyTargetSince.map((request) => ({ delete: request }))) },
      { weight: 1, arbitrary: some(anyTargetSince.map((request) => ({ activate: request }))) },
      { weight: 2, arbitrary: some(anyTargetSince.map((request) => ({ deactivate: request }))) },
    ),
    atomic: fc.boolean(),
  })
  .map((batch) => ({ batch }));

/** The answer depends on who holds what today where it was. */
const anyDeleteAgain = fc
  .nat(8)
  .map((at) => ({ as: "everybody", delete: { target: { among: "removed" as const, at } } }));

const anyOffboard = fc.record({
  userId: fc.oneof({ weight: 9, arbitrary: anyUser }, { weight: 1, arbitrary: fc.constant(root.userId) }),
  mode: fc.constantFrom("MODE_SUSPEND", "MODE_SUSPEND", "MODE_REMOVE"),
});

const anyGetCaller = fc.constant({ getCaller: {} });

const anyExplainAccess = fc
  .record({
    target: anyTarget,
    about: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom("", "its") },
      { weight: 6, arbitrary: fc.constantFrom(...callers) },
      { weight: 1, arbitrary: fc.constantFrom("nobody", "BOB", "\u{1f601}") },
    ),
  })
  .map((explainAccess) => ({ explainAccess }));

const anyCheckedItem = fc.record(
  {
    userId: anyUser,
    projectId: anyProject,
    organizationId: anyOrganization,
    roleKeys: fc.oneof(
      { weight: 5, arbitrary: anyKeys.map((keys) => (keys.length === 0 ? ["no role"] : keys)) },
      { weight: 1, arbitrary: fc.constant(["no role"]) },
    ),
  },
  { requiredKeys: ["userId", "projectId", "roleKeys"] },
);

const anyCheckRoles = fc.array(anyCheckedItem, { maxLength: 12 }).map((items) => ({ checkRoles: { items } }));

/** Few of each are named, so that in small worlds others are left. */
const anyOverview = fc
  .record(
    {
      filters: fc.oneof({ weight: 1, arbitrary: fc.constant([]) }, { weight: 2, arbitrary: anyFilters }),
      top: fc.constantFrom(0, 1, 1, 2, 3, 100),
      days: fc.constantFrom(0, 1, 1, 2, 3, 366),
    },
    { requiredKeys: ["filters"] },
  )
  .map((overview) => ({ overview }));

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
      { weight: 5, arbitrary: anyBatch },
      { weight: 7, arbitrary: anyApplication },
      { weight: 4, arbitrary: anyOffboard.map((offboard) => ({ offboard })) },
      { weight: 4, arbitrary: anyListAdministrators },
      { weight: 1, arbitrary: anyGetCaller },
      { weight: 6, arbitrary: anyExplainAccess },
      { weight: 6, arbitrary: anyCheckRoles },
      { weight: 8, arbitrary: anyListEvents },
      { weight: 8, arbitrary: anyListDirectoryEvents },
      { weight: 2, arbitrary: fc.nat(40).map((before) => ({ archive: { before } })) },
      { weight: 6, arbitrary: anyTarget.map((pass) => ({ pass })) },
      { weight: 1, arbitrary: fc.constant({ settle: {} }) },
      { weight: 8, arbitrary: anyLookUp },
      { weight: 5, arbitrary: anyOverview },
      { weight: 2, arbitrary: fc.constantFrom(...ids.users).map((token) => ({ token })) },
      { weight: 1, arbitrary: fc.constantFrom(...ids.users).map((revoke) => ({ revoke })) },
      {
        weight: 3,
        arbitrary: fc.tuple(fc.constantFrom(...ids.users), fc.constantFrom(...callers)).map(([made, other]) => ({
          made,
          with: other,
        })),
      },
    ),
  )
  .map(([as, operation]) => ({ as, ...operation }) as Operation);

/** A world and what is asked of it, so many things at most. */
export function anyCase(maxLength: number): fc.Arbitrary<Case> {
  return fc.record({
    imported: fc.integer({ min: 0, max: 9 }).map((roll) => roll === 0),
    world: anyWorld,
    operations: fc.array(anyOperation, { minLength: 1, maxLength, size: "max" }),
  });
}
