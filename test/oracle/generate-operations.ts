import fc from "fast-check";
import { anyBatch } from "./generate-batches.ts";
import { anyExplainAccess, anyGetCaller } from "./generate-callers.ts";
import { anyApplication } from "./generate-changes.ts";
import { anyCheckRoles } from "./generate-checks.ts";
import { anyListDirectoryEvents } from "./generate-directory-events.ts";
import { anyListEvents } from "./generate-events.ts";
import { anyList, anyListAdministrators } from "./generate-lists.ts";
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
import { anyOverview } from "./generate-overviews.ts";
import { callers, ids, mostly, root } from "./generate-world.ts";
import type { Operation, Since } from "./operations.ts";

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

/** The answer depends on who holds what today where it was. */
const anyDeleteAgain = fc
  .nat(8)
  .map((at) => ({ as: "everybody", delete: { target: { among: "removed" as const, at } } }));

const anyOffboard = fc.record({
  userId: fc.oneof({ weight: 9, arbitrary: anyUser }, { weight: 1, arbitrary: fc.constant(root.userId) }),
  mode: fc.constantFrom("MODE_SUSPEND", "MODE_SUSPEND", "MODE_REMOVE"),
});

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
      { weight: 5, arbitrary: anyBatch(anyCreate, anyUpdate, anyTargetSince) },
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
      { weight: 8, arbitrary: anyLookUp(ids) },
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
