import type { ReactNode } from "react";
import { locale } from "./language/language.ts";
import { translated } from "./language/translated.ts";

/** A name in a sentence, which may be a link. */
type Part = ReactNode;

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
      added: (name: Part) => ["Added the organization ", name],
      renamed: (before: Part, after: Part) => ["Renamed the organization ", before, " to ", after],
      removed: (name: Part) => ["Removed the organization ", name],
    },
    user: {
      added: (person: Part, organization: Part) => ["Added ", person, " to ", organization],
      renamed: (before: Part, after: Part) => ["Renamed ", before, " to ", after],
      moved: (person: Part, before: Part, after: Part) => ["Moved ", person, " from ", before, " to ", after],
      changed: (fields: string, person: Part) => ["Changed ", fields, " of ", person],
      removed: (person: Part, organization: Part) => ["Removed ", person, " from ", organization],
      erased: ["Erased the names of a person from the histories"],
    },
    project: {
      added: (name: Part, owner: Part) => ["Added the project ", name, " of ", owner],
      renamed: (before: Part, after: Part) => ["Renamed the project ", before, " to ", after],
      removed: (name: Part, owner: Part) => ["Removed the project ", name, " of ", owner],
    },
    projectRole: {
      added: (name: Part, project: Part) => ["Added the role ", name, " to ", project],
      renamed: (before: Part, after: Part, project: Part) => [
        "Renamed the role ",
        before,
        " of ",
        project,
        " to ",
        after,
      ],
      changed: (fields: string, name: Part, project: Part) => [
        "Changed ",
        fields,
        " of the role ",
        name,
        " of ",
        project,
      ],
      removed: (name: Part, project: Part) => ["Removed the role ", name, " from ", project],
    },
    projectGrant: {
      added: (project: Part, to: Part, roles: Part) => ["Granted ", project, " to ", to, " with ", roles],
      changed: (project: Part, to: Part, roles: Part) => ["Changed the grant of ", project, " to ", to, ": ", roles],
      removed: (project: Part, to: Part, roles: Part) => [
        "Removed the grant of ",
        project,
        " to ",
        to,
        " with ",
        roles,
      ],
    },
    administrator: {
      added: (person: Part, place: Part, roles: Part) => ["Made ", person, " ", roles, " of ", place],
      changed: (person: Part, place: Part, roles: Part) => [
        "Changed what ",
        person,
        " administers of ",
        place,
        ": ",
        roles,
      ],
      removed: (person: Part, place: Part, roles: Part) => ["Removed ", person, " as ", roles, " of ", place],
    },
    token: {
      added: (name: Part, person: Part) => ["Created ", name, " for ", person],
      changed: (name: Part, person: Part) => ["Changed ", name, " of ", person],
      removed: (name: Part, person: Part) => ["Revoked ", name, " of ", person],
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
  },
  nothing: "nothing",
  everything: "everything",
  grant: "a grant",
  someone: "someone",
  becomes: "→",
  before: "Before:",
  after: "After:",
} as const);
