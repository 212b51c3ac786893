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
import { anyKeys, anyWorld, as, callers, ids, mostly, oneOf, root } from "./generate-world.ts";
import type { Case, Operation, Since } from "./operations.ts";

const anySince: fc.Arbitrary<{ since?: Since }> = oneOf(
  [4, fc.constant({})],
  [2, fc.constant({ since: "current" as const })],
  [1, fc.record({ since: fc.constantFrom<Since>("finer", "earlier", "never") })],
);
const anyTargetSince = fc.tuple(fc.record({ target: anyTarget }), anySince).map(([target, since]) => ({
  ...target,
  ...since,
}));
/** One that a request can give, or one that has passed. */
const anyEnd = fc.constantFrom("9000-01-01T00:00:00Z", "9000-01-01T00:00:00.000001Z", "2020-02-29T12:00:00Z");
const anyEnding = oneOf(
  [3, fc.constant({})],
  [3, anyEnd.map((expirationDate) => ({ expirationDate }))],
  [1, fc.constant({ removeExpiration: true })],
);
const anyCreate = fc
  .tuple(
    fc.record({ userId: anyUser, projectId: anyProject, organizationId: anyOrganization, roleKeys: anyRoleKeys }),
    anyPlaced,
    fc.record({ expirationDate: anyEnd }, { requiredKeys: [] }),
  )
  .map(([create, placed, ending]) => ({ create: { ...create, ...placed, ...ending } }));

const anyUpdate = fc
  .record({
    target: anyTargetSince,
    roleKeys: oneOf([5, anyRoleKeys], [1, fc.constant("same" as const)]),
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
    items: oneOf(
      [3, some(anyCreate)],
      [4, some(anyUpdate)],
      [2, some(as("delete", anyTargetSince))],
      [1, some(as("activate", anyTargetSince))],
      [2, some(as("deactivate", anyTargetSince))],
    ),
    atomic: fc.boolean(),
  })
  .map((batch) => ({ batch }));

/** The answer depends on who holds what today where it was. */
const anyDeleteAgain = fc
  .nat(8)
  .map((at) => ({ as: "everybody", delete: { target: { among: "removed" as const, at } } }));

const anyOffboard = fc.record({
  userId: oneOf([9, anyUser], [1, fc.constant(root.userId)]),
  mode: fc.constantFrom("MODE_SUSPEND", "MODE_SUSPEND", "MODE_REMOVE"),
});

const anyGetCaller = fc.constant({ getCaller: {} });

const anyExplainAccess = fc
  .record({
    target: anyTarget,
    about: oneOf(
      [3, fc.constantFrom("", "its")],
      [6, fc.constantFrom(...callers)],
      [1, fc.constantFrom("nobody", "BOB", "\u{1f601}")],
    ),
  })
  .map((explainAccess) => ({ explainAccess }));

const anyCheckedItem = fc.record(
  {
    userId: anyUser,
    projectId: anyProject,
    organizationId: anyOrganization,
    roleKeys: oneOf(
      [5, anyKeys.map((keys) => (keys.length === 0 ? ["no role"] : keys))],
      [1, fc.constant(["no role"])],
    ),
  },
  { requiredKeys: ["userId", "projectId", "roleKeys"] },
);

const anyCheckRoles = fc.array(anyCheckedItem, { maxLength: 12 }).map((items) => ({ checkRoles: { items } }));

/** Few of each are named, so that in small worlds others are left. */
const anyOverview = fc
  .record(
    {
      filters: oneOf([1, fc.constant([])], [2, anyFilters]),
      top: fc.constantFrom(0, 1, 1, 2, 3, 100),
      days: fc.constantFrom(0, 1, 1, 2, 3, 366),
    },
    { requiredKeys: ["filters"] },
  )
  .map((overview) => ({ overview }));

const anyMade = fc
  .tuple(fc.constantFrom(...ids.users), fc.constantFrom(...callers))
  .map(([made, other]) => ({ made, with: other }));

export const anyOperation: fc.Arbitrary<Operation> = fc
  .tuple(
    anyCaller,
    oneOf(
      [16, anyList],
      [5, anyCreate],
      [6, anyUpdate],
      [3, as("delete", anyTargetSince)],
      [2, anyDeleteAgain],
      [2, as("activate", anyTargetSince)],
      [2, as("deactivate", anyTargetSince)],
      [5, anyBatch],
      [7, anyApplication],
      [4, as("offboard", anyOffboard)],
      [4, anyListAdministrators],
      [1, anyGetCaller],
      [6, anyExplainAccess],
      [6, anyCheckRoles],
      [8, anyListEvents],
      [8, anyListDirectoryEvents],
      [2, as("archive", as("before", fc.nat(40)))],
      [6, as("pass", anyTarget)],
      [1, fc.constant({ settle: {} })],
      [8, anyLookUp],
      [5, anyOverview],
      [2, as("token", fc.constantFrom(...ids.users))],
      [1, as("revoke", fc.constantFrom(...ids.users))],
      [3, anyMade],
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
