import { entry, organization, project, projectGrant, remove, removeRole } from "../support/changes.ts";
import { twoOrganizations } from "../support/two-organizations.ts";
import { authorization, role, user } from "../support/world.ts";

/**
 * Samples of each change that docs/reference/permissions.md has a row for.
 *
 * The caller's own are the organizations "mine" and "mine-too", the project "shop" and the grant "in", by the scope of
 * its role. Elsewhere are the organization "theirs", the project "yard" and the grant "out" of the caller's own project.
 */
export const world: readonly object[] = [
  ...twoOrganizations,
  organization("mine-too"),
  ...[{ organizationId: "mine" }, { organizationId: "theirs" }].map((at) => entry("member", at, "ORG_OWNER_VIEWER")),
  ...[{ projectId: "shop" }, { projectId: "yard" }].map((at) => entry("member", at, "PROJECT_OWNER_VIEWER")),
  ...["in", "out"].map((projectGrantId) => entry("member", { projectGrantId }, "PROJECT_GRANT_OWNER_VIEWER")),
  authorization("held", "member", "shop", "mine", ["seller"], "2024-01-01T00:00:00Z"),
];

/** Where a caller holds its role. */
export const ownScopes = {
  instance: [{ instance: true }],
  organizationId: [{ organizationId: "mine" }, { organizationId: "mine-too" }],
  projectId: [{ projectId: "shop" }],
  projectGrantId: [{ projectGrantId: "in" }],
};

type Samples = {
  readonly own: readonly object[];
  readonly elsewhere: readonly object[];
  /** The same for what doesn't exist, or in what doesn't exist. */
  readonly nowhere: readonly object[];
};

const onOrganization = (id: string, ...roles: string[]) => entry("stranger", { organizationId: id }, ...roles);
const onProject = (id: string, ...roles: string[]) => entry("stranger", { projectId: id }, ...roles);
const onGrant = (id: string, ...roles: string[]) => entry("stranger", { projectGrantId: id }, ...roles);
const removeEntry = (userId: string, scope: object) => remove({ administrator: { userId, ...scope } });

export const samples: Readonly<Record<string, Samples>> = {
  "create an organization": {
    own: [],
    elsewhere: [],
    nowhere: [organization("new", "Mine"), organization("new")],
  },
  "rename or remove an organization": {
    own: [organization("mine", "Mine"), organization("mine"), remove({ organizationId: "mine-too" })],
    elsewhere: [organization("theirs", "Mine"), organization("theirs"), remove({ organizationId: "theirs" })],
    nowhere: [remove({ organizationId: "new" })],
  },
  "create or change a user": {
    own: [user("new", "mine"), user("plain", "mine", "Another name"), user("plain", "mine")],
    elsewhere: [user("new", "theirs"), user("stranger", "theirs", "Another name"), user("stranger", "theirs")],
    nowhere: [user("new", "new")],
  },
  "move a user": {
    own: [user("plain", "mine-too")],
    elsewhere: [user("plain", "theirs"), user("stranger", "mine")],
    nowhere: [user("plain", "new")],
  },
  "remove a user": {
    own: [remove({ userId: "plain" })],
    elsewhere: [remove({ userId: "stranger" })],
    nowhere: [remove({ userId: "new" })],
  },
  "create a project": {
    own: [project("new", "mine")],
    elsewhere: [project("new", "theirs")],
    nowhere: [project("new", "new")],
  },
  "rename or remove a project": {
    own: [project("shop", "mine", "Store"), project("shop", "mine"), remove({ projectId: "shop" })],
    elsewhere: [
      ...[project("yard", "theirs", "Store"), project("yard", "theirs"), project("shop", "theirs")],
      remove({ projectId: "yard" }),
    ],
    nowhere: [project("shop", "new"), remove({ projectId: "new" })],
  },
  "add, change, or remove a role of a project": {
    own: [
      ...[role("shop", "new"), role("shop", "seller", "Name"), role("shop", "seller")],
      ...[removeRole("shop", "seller"), removeRole("shop", "new")],
    ],
    elsewhere: [
      ...[role("yard", "new"), role("yard", "guard", "Name"), role("yard", "guard")],
      ...[removeRole("yard", "guard"), removeRole("yard", "new")],
    ],
    nowhere: [role("new", "new"), removeRole("new", "new")],
  },
  "add, change, or remove a grant of a project": {
    own: [
      projectGrant("new", "shop", "mine-too"),
      projectGrant("out", "shop", "theirs"),
      projectGrant("new", "shop", "x"),
      remove({ projectGrantId: "out" }),
    ],
    elsewhere: [
      projectGrant("new", "yard", "mine"),
      projectGrant("in", "yard", "mine"),
      projectGrant("in", "shop", "mine"),
      remove({ projectGrantId: "in" }),
    ],
    nowhere: [projectGrant("new", "new", "mine"), remove({ projectGrantId: "new" })],
  },
  "give, change, or remove an entry on an organization": {
    own: [
      ...[
        onOrganization("mine", "ORG_OWNER"),
        onOrganization("mine"),
        removeEntry("member", { organizationId: "mine" }),
      ],
      ...[removeEntry("new", { organizationId: "mine" }), entry("new", { organizationId: "mine" }, "ORG_OWNER")],
    ],
    elsewhere: [onOrganization("theirs", "ORG_OWNER_VIEWER"), removeEntry("member", { organizationId: "theirs" })],
    nowhere: [onOrganization("new", "ORG_OWNER_VIEWER"), removeEntry("member", { organizationId: "new" })],
  },
  "give, change, or remove an entry on a project": {
    own: [
      ...[onProject("shop", "PROJECT_OWNER_GLOBAL"), onProject("shop"), removeEntry("member", { projectId: "shop" })],
      ...[removeEntry("new", { projectId: "shop" }), entry("new", { projectId: "shop" }, "PROJECT_OWNER_VIEWER")],
    ],
    elsewhere: [onProject("yard", "PROJECT_OWNER_VIEWER"), removeEntry("member", { projectId: "yard" })],
    nowhere: [onProject("new", "PROJECT_OWNER_VIEWER"), removeEntry("member", { projectId: "new" })],
  },
  "give, change, or remove an entry on a grant": {
    own: [onGrant("in", "PROJECT_GRANT_OWNER"), onGrant("in"), removeEntry("member", { projectGrantId: "in" })],
    elsewhere: [onGrant("out", "PROJECT_GRANT_OWNER_VIEWER"), removeEntry("member", { projectGrantId: "out" })],
    nowhere: [onGrant("new", "PROJECT_GRANT_OWNER_VIEWER"), removeEntry("member", { projectGrantId: "new" })],
  },
  "give, change, or remove an entry on the instance": {
    own: [entry("stranger", { instance: true }, "IAM_OWNER_VIEWER"), entry("stranger", { instance: true })],
    elsewhere: [],
    nowhere: [removeEntry("new", { instance: true })],
  },
  "add, change, or remove an assignment with ApplyChanges": {
    own: [
      authorization("held", "member", "shop", "mine", [], "2024-01-01T00:00:00Z"),
      remove({ authorizationId: "held" }),
    ],
    elsewhere: [authorization("new", "stranger", "yard", "theirs", [], "2024-01-01T00:00:00Z")],
    nowhere: [remove({ authorizationId: "new" })],
  },
};
