import type { ReactNode } from "react";
import { locale } from "./language/language.ts";
import { translated } from "./language/translated.ts";

/** The words of the history of everything. */
export const historyWords = translated("historyWords", {
  title: "History",
  none: "No changes to show.",
  table: "Changes",
  changes: ["change", "changes"],
  commandLine: "Command line",
  removedPerson: "A removed person",
  idOfPerson: "the id of the person who made the change",
  reason: "Reason:",
  /** Of so many changes, a line says each already. */
  show: (count: number) => (count > 3 ? `Show the ${count.toLocaleString(locale)} changes` : "Details"),
  hide: (count: number) => (count > 3 ? `Hide the ${count.toLocaleString(locale)} changes` : "Hide the details"),
  isCut: "This request changed more than is shown here.",
  /** A change of an assignment in one line, with names that are links. */
  fact: (title: ReactNode, person: ReactNode, project: ReactNode, organization: ReactNode, roles: string) => [
    title,
    ": ",
    person,
    ", ",
    project,
    " in ",
    organization,
    roles === "" ? "" : ` (${roles})`,
  ],
  rolesOf: (label: string, roles: string) => `${label} ${roles}`,
  times: (count: number) => count.toLocaleString(locale),
  /** What happened to assignments, by the service's types without their `user.grant.`. */
  types: {
    added: "Assigned",
    changed: "Roles changed",
    deactivated: "Deactivated",
    reactivated: "Activated again",
    removed: "Deleted",
    expired: "Expired",
    "cascade.changed": "Roles removed from the project or grant",
    "cascade.removed": "Deleted with a person, project, or organization",
  },
  /** Kinds of things in the directory, by the service's names. */
  kinds: {
    organization: "Organizations",
    user: "People",
    project: "Projects",
    projectRole: "Roles of projects",
    projectGrant: "Grants",
    administrator: "Administrators",
    token: "Tokens",
  },
  /** Of assignments. */
  states: ["active", "inactive"],
  ofKind: { assignments: "Assignments", directory: "The directory" },
  change: {
    with: "with",
    held: "held",
    endChanged: "End changed",
  },
  filters: {
    names: {
      what: "What happened",
      actor: "Who did it",
      project: "Project",
      organization: "Organization",
      when: "When",
      assignment: "Assignment",
    },
    kind: "Kind",
    anyKind: "Everything",
    about: "About",
    role: "Role",
    typesOf: "Assignments",
    kindsOf: "Changes of",
    oneAssignment: "Only one assignment",
    unreadable: (names: string) => `Not readable: ${names}.`,
  },
  empty: {
    empty: "Nothing has changed yet",
    emptyAdvice:
      "You see changes of what was assigned to you, of your own administrator roles and tokens, and in the places where you may see them today.",
  },
  /** Why nothing matches. */
  excluding:
    "Some of these filters only match changes of assignments, and others only changes of the directory. Remove one of the two.",
  /** The part of the history that belongs to a page. */
  links: {
    all: "All changes",
    about: "All changes about this person",
    by: "All changes by this person",
    yours: "All changes by you",
  },
  export: {
    file: "history",
    of: ["change", "changes"],
    kinds: {
      organization: "organization",
      user: "person",
      project: "project",
      projectRole: "role",
      projectGrant: "grant",
      administrator: "administrator",
      token: "token",
    },
    assignment: "assignment",
    columns: {
      time: "Time (UTC)",
      kind: "Kind",
      what: "What",
      actorId: "Who id",
      actor: "Who",
      reason: "Reason",
      requestId: "Request id",
      assignmentId: "Assignment id",
      personId: "Person id",
      person: "Person",
      projectId: "Project id",
      project: "Project",
      organizationId: "Organization id",
      organization: "Organization",
      before: "Before",
      after: "After",
    },
    field: (name: string, value: string) => `${name}: ${value}`,
  },
} as const);
