import fc from "fast-check";
import { anyOf, anyOrganization, anyPlaced, anyProject, anyRoleKeys, anyTarget, anyUser } from "./generate-names.ts";
import {
  anyEntry,
  anyName,
  anyState,
  anyText,
  as,
  dates,
  ids,
  inOrder,
  mostly,
  oneOf,
  root,
} from "./generate-world.ts";
import type { Removal } from "./model/change.ts";
import type { Scope } from "./model/world.ts";
import type { ApplyOperation, PlannedChange } from "./operations.ts";

/** Each takes an owner of the instance away, who is often the last one. */
const anyRemovalOfRoot = fc.constantFrom<Removal>(
  { userId: root.userId },
  { organizationId: root.organizationId },
  { administrator: { userId: root.userId, instance: true } },
);

const anyRemoval: fc.Arbitrary<Removal> = oneOf(
  [1, as("organizationId", anyOrganization)],
  [1, as("userId", anyUser)],
  [2, as("projectId", anyProject)],
  [8, fc.record({ projectRole: fc.record({ projectId: anyProject, key: anyOf(ids.roleKeys) }) })],
  [4, as("projectGrantId", anyOf(ids.projectGrants))],
  [2, fc.tuple(anyUser, anyEntry).map(([userId, { scope }]) => ({ administrator: { userId, ...scope } }))],
  [2, as("authorizationId", anyOf(ids.authorizations))],
  [2, anyRemovalOfRoot],
);

const anyInvalidEntry: fc.Arbitrary<{ scope: Scope; roles: string[] }> = fc.record({
  scope: fc.constantFrom<Scope>({ instance: true }, { organizationId: "acme" }, { projectId: "shop" }),
  roles: fc.constantFrom(["PROJECT_GRANT_OWNER"], ["org_owner"], ["constructor"], ["ORG_OWNER", "IAM_OWNER"]),
});

const anyAdministrator = fc
  .tuple(
    oneOf([10, anyUser], [1, fc.constant(root.userId)]),
    oneOf([12, anyEntry], [2, anyEntry.map(({ scope }) => ({ scope, roles: [] }))], [1, anyInvalidEntry]),
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

const anyPerson = fc.record({
  ...{ id: anyUser, organizationId: anyOrganization, preferredLoginName: anyText(1), displayName: anyName(0) },
  avatarUrl: fc.constantFrom("", "http://a.example/"),
});

const anyRole = fc.record({
  ...{ projectId: anyProject, key: anyOf(ids.roleKeys), displayName: anyText(0), group: anyText(0) },
  description: fc.option(anyText(0), { nil: undefined }),
});

const anyGrant = fc.record({
  ...{ id: anyOf(ids.projectGrants), projectId: anyProject, organizationId: anyOrganization },
  roleKeys: anyRoleKeys,
});

const anyThing: fc.Arbitrary<PlannedChange["change"]> = oneOf(
  [2, as("organization", fc.record({ id: anyOrganization, name: anyName(1) }))],
  [3, as("user", anyPerson)],
  [2, as("project", fc.record({ id: anyProject, organizationId: anyOrganization, name: anyName(1) }))],
  [4, as("projectRole", anyRole)],
  [5, as("projectGrant", anyGrant)],
  [3, anyAdministrator],
  [6, anyAuthorization],
);

const anyChange: fc.Arbitrary<PlannedChange["change"]> = oneOf([2, as("remove", anyRemoval)], [3, anyThing]);

const anyApply: fc.Arbitrary<{ apply: ApplyOperation }> = fc
  .record({
    changes: fc.array(fc.record({ change: anyChange, keep: mostly(true) }), { maxLength: 5, size: "max" }),
    refused: fc.constantFrom(0, 0, 0, 0, 0, 0, 1, 1, 5),
  })
  .map((apply) => ({ apply }));

/** By one who may do everything, by anyone, or by the command line, which takes its time. */
const anyActor = oneOf([5, fc.constant({ as: root.userId })], [8, fc.constant({})], [1, fc.constant({ as: "import" })]);
export const anyApplication = fc.tuple(anyApply, anyActor).map(([apply, as]) => ({ ...apply, ...as }));
