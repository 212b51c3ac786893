import type { AdministratorRole, Permission } from "../../src/authorization/permissions.ts";
import { entry, organization, project, projectGrant, remove, removeRole } from "../support/changes.ts";
import { twoOrganizations } from "../support/two-organizations.ts";
import { authorization, role, user } from "../support/world.ts";

/**
 * Who may make which change: docs/reference/permissions.md, written by hand. Tests send every change for every role, and
 * compare the page with this table.
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

/** The roles of the columns. All others may change nothing. */
export const columns = [
  "IAM_OWNER",
  "IAM_ORG_MANAGER",
  "IAM_USER_MANAGER",
  "IAM_LOGIN_CLIENT",
  "ORG_OWNER",
  "ORG_USER_MANAGER",
  "ORG_PROJECT_PERMISSION_EDITOR",
  "PROJECT_OWNER",
  "PROJECT_OWNER_GLOBAL",
  "PROJECT_GRANT_OWNER",
] as const satisfies AdministratorRole[];

/** Where a role of the table is held. */
export function scopesOf(name: AdministratorRole): readonly object[] {
  if (name.startsWith("IAM_")) return [{ instance: true }];
  if (name.startsWith("ORG_")) return [{ organizationId: "mine" }, { organizationId: "mine-too" }];
  return name.startsWith("PROJECT_GRANT_") ? [{ projectGrantId: "in" }] : [{ projectId: "shop" }];
}

export type Row = {
  readonly change: string;
  /** What a caller is refused for. */
  readonly permission: Permission;
  /** For each column: o for their own, a for all, also for what doesn't exist. */
  readonly answers: string;
  readonly own: readonly object[];
  readonly elsewhere: readonly object[];
  /** The same for what doesn't exist, or in what doesn't exist. */
  readonly nowhere: readonly object[];
};

const onOrganization = (id: string, ...roles: string[]) => entry("stranger", { organizationId: id }, ...roles);
const onProject = (id: string, ...roles: string[]) => entry("stranger", { projectId: id }, ...roles);
const onGrant = (id: string, ...roles: string[]) => entry("stranger", { projectGrantId: id }, ...roles);
const removeEntry = (userId: string, scope: object) => remove({ administrator: { userId, ...scope } });

export const rows: readonly Row[] = [
  {
    change: "rename an organization; create one",
    permission: "org.write",
    answers: "aa--o-----",
    own: [organization("mine", "Mine"), organization("mine")],
    elsewhere: [organization("theirs", "Mine"), organization("theirs")],
    nowhere: [organization("new", "Mine"), organization("new")],
  },
  {
    change: "remove an organization",
    permission: "org.write",
    answers: "aa--o-----",
    own: [remove({ organizationId: "mine-too" })],
    elsewhere: [remove({ organizationId: "theirs" })],
    nowhere: [remove({ organizationId: "new" })],
  },
  {
    change: "create a user",
    permission: "user.write",
    answers: "aaaaoo----",
    own: [user("new", "mine")],
    elsewhere: [user("new", "theirs")],
    nowhere: [user("new", "new")],
  },
  {
    change: "change a user",
    permission: "user.write",
    answers: "aaaaoo----",
    own: [user("plain", "mine", "Another name"), user("plain", "mine")],
    elsewhere: [user("stranger", "theirs", "Another name"), user("stranger", "theirs")],
    nowhere: [],
  },
  {
    change: "move a user",
    permission: "user.write",
    answers: "aaa-oo----",
    own: [user("plain", "mine-too")],
    elsewhere: [user("plain", "theirs"), user("stranger", "mine")],
    nowhere: [user("plain", "new")],
  },
  {
    change: "remove a user",
    permission: "user.write",
    answers: "aaa-oo----",
    own: [remove({ userId: "plain" })],
    elsewhere: [remove({ userId: "stranger" })],
    nowhere: [remove({ userId: "new" })],
  },
  {
    change: "create a project",
    permission: "project.write",
    answers: "aa--o-----",
    own: [project("new", "mine")],
    elsewhere: [project("new", "theirs")],
    nowhere: [project("new", "new")],
  },
  {
    change: "rename a project",
    permission: "project.write",
    answers: "aa--o--oo-",
    own: [project("shop", "mine", "Store"), project("shop", "mine")],
    elsewhere: [project("yard", "theirs", "Store"), project("yard", "theirs"), project("shop", "theirs")],
    nowhere: [project("shop", "new")],
  },
  {
    change: "remove a project",
    permission: "project.write",
    answers: "aa--o--oo-",
    own: [remove({ projectId: "shop" })],
    elsewhere: [remove({ projectId: "yard" })],
    nowhere: [remove({ projectId: "new" })],
  },
  {
    change: "add or change a role of a project",
    permission: "project.role.write",
    answers: "aa--o--oo-",
    own: [role("shop", "new"), role("shop", "seller", "Name"), role("shop", "seller")],
    elsewhere: [role("yard", "new"), role("yard", "guard", "Name"), role("yard", "guard")],
    nowhere: [role("new", "new")],
  },
  {
    change: "remove a role of a project",
    permission: "project.role.write",
    answers: "aa--o--oo-",
    own: [removeRole("shop", "seller"), removeRole("shop", "new")],
    elsewhere: [removeRole("yard", "guard"), removeRole("yard", "new")],
    nowhere: [removeRole("new", "new")],
  },
  {
    change: "add or change a grant of a project",
    permission: "project.grant.write",
    answers: "aaa-o-oo--",
    own: [
      projectGrant("new", "shop", "mine-too"),
      projectGrant("out", "shop", "theirs"),
      projectGrant("new", "shop", "x"),
    ],
    elsewhere: [
      projectGrant("new", "yard", "mine"),
      projectGrant("in", "yard", "mine"),
      projectGrant("in", "shop", "mine"),
    ],
    nowhere: [projectGrant("new", "new", "mine")],
  },
  {
    change: "remove a grant of a project",
    permission: "project.grant.write",
    answers: "aaa-o-oo--",
    own: [remove({ projectGrantId: "out" })],
    elsewhere: [remove({ projectGrantId: "in" })],
    nowhere: [remove({ projectGrantId: "new" })],
  },
  {
    change: "give, change or remove an entry on an organization",
    permission: "administrator.write",
    answers: "aa--o-----",
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
  {
    change: "give, change or remove an entry on a project",
    permission: "administrator.write",
    answers: "aa--o--oo-",
    own: [
      ...[onProject("shop", "PROJECT_OWNER_GLOBAL"), onProject("shop"), removeEntry("member", { projectId: "shop" })],
      ...[removeEntry("new", { projectId: "shop" }), entry("new", { projectId: "shop" }, "PROJECT_OWNER_VIEWER")],
    ],
    elsewhere: [onProject("yard", "PROJECT_OWNER_VIEWER"), removeEntry("member", { projectId: "yard" })],
    nowhere: [onProject("new", "PROJECT_OWNER_VIEWER"), removeEntry("member", { projectId: "new" })],
  },
  {
    change: "give, change or remove an entry on a grant; their own are those to their organization",
    permission: "administrator.write",
    answers: "aa--o----o",
    own: [onGrant("in", "PROJECT_GRANT_OWNER"), onGrant("in"), removeEntry("member", { projectGrantId: "in" })],
    elsewhere: [onGrant("out", "PROJECT_GRANT_OWNER_VIEWER"), removeEntry("member", { projectGrantId: "out" })],
    nowhere: [onGrant("new", "PROJECT_GRANT_OWNER_VIEWER"), removeEntry("member", { projectGrantId: "new" })],
  },
  {
    change: "give, change or remove an entry on the instance",
    permission: "directory.write",
    answers: "a---------",
    own: [entry("stranger", { instance: true }, "IAM_OWNER_VIEWER"), entry("stranger", { instance: true })],
    elsewhere: [],
    nowhere: [removeEntry("new", { instance: true })],
  },
  {
    change: "add, change or remove an assignment with `ApplyChanges`",
    permission: "directory.write",
    answers: "a---------",
    own: [
      authorization("held", "member", "shop", "mine", [], "2024-01-01T00:00:00Z"),
      remove({ authorizationId: "held" }),
    ],
    elsewhere: [authorization("new", "stranger", "yard", "theirs", [], "2024-01-01T00:00:00Z")],
    nowhere: [remove({ authorizationId: "new" })],
  },
];

/** The table as the page has it. */
export function asMarkdown(): string {
  const words: Record<string, string> = { a: "all", o: "own", "-": "" };
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`.replace(/ {2,}/g, " ");
  return [
    line(["Change", ...columns.map((name) => `\`${name}\``)]),
    `|${"---|".repeat(columns.length + 1)}`,
    ...rows.map(({ change, answers }) => line([change, ...Array.from(answers, (answer) => words[answer] ?? "?")])),
  ].join("\n");
}
