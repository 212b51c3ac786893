import fc from "fast-check";
import { anyOf, anyOrganization, anyPlaced, anyProject, anyRoleKeys, anyTarget, anyUser } from "./generate-names.ts";
import { anyEntry, anyName, anyState, anyText, dates, ids, inOrder, mostly, root } from "./generate-world.ts";
import type { Removal } from "./model/change.ts";
import type { Scope } from "./model/world.ts";
import type { ApplyOperation, PlannedChange } from "./operations.ts";

/** Each takes an owner of the instance away, who is often the last one. */
const anyRemovalOfRoot = fc.constantFrom<Removal>(
  { userId: root.userId },
  { organizationId: root.organizationId },
  { administrator: { userId: root.userId, instance: true } },
);

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
  { weight: 2, arbitrary: anyRemovalOfRoot },
);

const anyInvalidEntry: fc.Arbitrary<{ scope: Scope; roles: string[] }> = fc.record({
  scope: fc.constantFrom<Scope>({ instance: true }, { organizationId: "acme" }, { projectId: "shop" }),
  roles: fc.constantFrom(["PROJECT_GRANT_OWNER"], ["org_owner"], ["constructor"], ["ORG_OWNER", "IAM_OWNER"]),
});

const anyAdministrator = fc
  .tuple(
    fc.oneof({ weight: 10, arbitrary: anyUser }, { weight: 1, arbitrary: fc.constant(root.userId) }),
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
        expirationDate: fc.constantFrom(...dates.slice(1)),
        expired: mostly(false),
      },
      { requiredKeys: ["target", "userId", "projectId", "organizationId", "roleKeys"] },
    ),
    anyPlaced,
    fc.record({ sameKeys: mostly(false) }),
    mostly(false),
  )
  .map(([authorization, placed, same, removeExpiration]) => {
    const { expirationDate, ...others } = inOrder(authorization);
    const ending = removeExpiration ? { removeExpiration } : expirationDate === undefined ? {} : { expirationDate };
    return { authorization: { ...others, ...ending, ...placed, ...same } };
  });

const anyThing: fc.Arbitrary<PlannedChange["change"]> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ id: anyOrganization, name: anyName(1) }).map((organization) => ({ organization })),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({
        id: anyUser,
        organizationId: anyOrganization,
        preferredLoginName: anyText(1),
        displayName: anyName(0),
        avatarUrl: fc.constantFrom("", "http://a.example/"),
      })
      .map((user) => ({ user })),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ id: anyProject, organizationId: anyOrganization, name: anyName(1) })
      .map((project) => ({ project })),
  },
  {
    weight: 4,
    arbitrary: fc
      .record({
        ...{ projectId: anyProject, key: anyOf(ids.roleKeys), displayName: anyText(0), group: anyText(0) },
        description: fc.option(anyText(0), { nil: undefined }),
      })
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

/** By one who may do everything, by anyone, or by the command line, which takes its time. */
const anyActor = fc.oneof(
  { weight: 5, arbitrary: fc.constant({ as: root.userId }) },
  { weight: 8, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.constant({ as: "import" }) },
);
export const anyApplication = fc.tuple(anyApply, anyActor).map(([apply, as]) => ({ ...apply, ...as }));
