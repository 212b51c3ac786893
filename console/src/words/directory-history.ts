import type { ReactNode } from "react";
import { locale } from "./language/language.ts";
import { translated } from "./language/translated.ts";

/** What a sentence can name. Names may be links. */
type Parts = Readonly<
  Record<
    | "name"
    | "former"
    | "person"
    | "organization"
    /** The organization before a move. */
    | "origin"
    | "project"
    | "place"
    | "roles"
    | "fields",
    ReactNode
  >
>;

/** What happened to each kind of thing: when it was added, changed and removed. */
export const directoryHistoryWords = translated("directoryHistoryWords", {
  titles: {
    organization: ["Organization added", "Organization changed", "Organization removed"],
    user: ["Person added", "Person changed", "Person removed"],
    project: ["Project added", "Project changed", "Project removed"],
    projectRole: ["Role added", "Role changed", "Role removed"],
    projectGrant: ["Grant added", "Grant changed", "Grant removed"],
    administrator: ["Administrator added", "Administrator changed", "Administrator removed"],
    token: ["Token created", "Token changed", "Token revoked"],
  },
  aName: "a name",
  /** Each change in one line. */
  facts: {
    organization: {
      added: ({ name }: Parts) => ["Added the organization ", name],
      renamed: ({ former, name }: Parts) => ["Renamed the organization ", former, " to ", name],
      removed: ({ name }: Parts) => ["Removed the organization ", name],
    },
    user: {
      added: ({ name, organization }: Parts) => ["Added ", name, " to ", organization],
      renamed: ({ former, name }: Parts) => ["Renamed ", former, " to ", name],
      moved: ({ name, origin, organization }: Parts) => ["Moved ", name, " from ", origin, " to ", organization],
      changed: ({ fields, name }: Parts) => ["Changed ", fields, " of ", name],
      removed: ({ name, organization }: Parts) => ["Removed ", name, " from ", organization],
      erased: () => ["Erased the names of a person from the histories"],
    },
    project: {
      added: ({ name, organization }: Parts) => ["Added the project ", name, " of ", organization],
      renamed: ({ former, name }: Parts) => ["Renamed the project ", former, " to ", name],
      removed: ({ name, organization }: Parts) => ["Removed the project ", name, " of ", organization],
    },
    projectRole: {
      added: ({ name, project }: Parts) => ["Added the role ", name, " to ", project],
      renamed: ({ former, name, project }: Parts) => ["Renamed the role ", former, " of ", project, " to ", name],
      changed: ({ fields, name, project }: Parts) => ["Changed ", fields, " of the role ", name, " of ", project],
      removed: ({ name, project }: Parts) => ["Removed the role ", name, " from ", project],
    },
    projectGrant: {
      added: ({ project, organization, roles }: Parts) => ["Granted ", project, " to ", organization, " with ", roles],
      changed: ({ project, organization, roles }: Parts) => [
        "Changed the grant of ",
        project,
        " to ",
        organization,
        ": ",
        roles,
      ],
      removed: ({ project, organization, roles }: Parts) => [
        "Removed the grant of ",
        project,
        " to ",
        organization,
        " with ",
        roles,
      ],
    },
    administrator: {
      added: ({ person, place, roles }: Parts) => ["Made ", person, " ", roles, " of ", place],
      changed: ({ person, place, roles }: Parts) => ["Changed what ", person, " administers of ", place, ": ", roles],
      removed: ({ person, place, roles }: Parts) => ["Removed ", person, " as ", roles, " of ", place],
    },
    token: {
      added: ({ name, person }: Parts) => ["Created ", name, " for ", person],
      changed: ({ name, person }: Parts) => ["Changed ", name, " of ", person],
      removed: ({ name, person }: Parts) => ["Revoked ", name, " of ", person],
    },
  },
  theField: (name: string) => `the ${name.toLowerCase()}`,
  theToken: (name: string) => (name === "" ? "a token without a name" : `the token ${name}`),
  rolesAdded: (roles: string) => `added ${roles}`,
  rolesRemoved: (roles: string) => `removed ${roles}`,
  noRoles: "no roles",
  andMore: (count: number) => `${count.toLocaleString(locale)} more`,
  fields: {
    name: "Name",
    displayName: "Name",
    preferredLoginName: "Login name",
    avatarUrl: "Picture",
    organizationId: "Organization",
    projectId: "Project",
    group: "Group",
    description: "Description",
    key: "Key",
    roleKeys: "Roles",
    roles: "Roles",
    scope: "Where",
    userId: "Person",
    expirationDate: "Ends",
    state: "State",
  },
  nothing: "nothing",
  never: "never",
  everything: "everything",
  grant: "a grant",
  someone: "someone",
  becomes: "→",
  before: "Before:",
  after: "After:",
} as const);
