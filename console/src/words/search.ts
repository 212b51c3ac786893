import { translated } from "./language/translated.ts";

/** The words of the search for everything. */
export const searchWords = translated("searchWords", {
  title: "Search everything",
  field: "Search people, projects, organizations, roles, assignment ids, pages and actions",
  placeholder: "Name, login name, role or id",
  results: "Results",
  kinds: {
    people: "People",
    projects: "Projects",
    organizations: "Organizations",
    roles: "Roles",
    assignments: "Assignments",
    pages: "Pages and actions",
  },
  start: (isOwnOnly: boolean) =>
    isOwnOnly
      ? "Type words in any order, such as “keller ann” or “auditor shop”."
      : "Type words in any order, such as “keller ann” or “auditor shop”, or say what to do: “make Ann an auditor in Shop”, “changes by Ann”, “same as Ann”, “compare Ann with Ben”, “off-board Ann”, “matrix of Shop”.",
  searching: "Searching…",
  first: (count: number) => `first ${count}`,
  searched: (kinds: string, rolesOf: number | undefined) =>
    `Searched ${kinds}${rolesOf === undefined ? "" : `. Roles: only those of the first ${rolesOf} projects`}.`,
  kindsSearched: {
    people: "people",
    projects: "projects",
    organizations: "organizations",
    roles: "roles",
    assignments: "assignment ids",
    pages: "pages and actions",
  },
  failed: (kinds: string) => `Could not search ${kinds}.`,
  nothing: (text: string) => `Nothing found for “${text}”.`,
  elsewhere: {
    fewerWords: "Every word must begin a word of the name. Try fewer words.",
    exact: "People in places where you have no rights are found only by their whole login name or id.",
    removed: "What was removed is only in the history.",
    history: "Open the history",
  },
  roleIn: (project: string) => `in ${project}`,
  assignmentOf: (user: string) => `Assignment of ${user}`,
  /** Words around a role, which aren't of its name. */
  around: "the role in of for",
  firstSteps: "First steps",
  /** What else pages and actions are found by. */
  also: {
    assignments: "deactivate delete",
    history: "audit log changes",
    people: "people invite import",
    lists: "import csv file",
  },
  page: "Page",
  actions: {
    create: "New assignment",
    same: (person: string) => `Give the same as ${person}`,
    compare: (one: string, other: string) => `Compare ${one} with ${other}`,
    changes: (person: string) => `All changes by ${person}`,
    offboard: (person: string) => `Off-board ${person}`,
    matrix: (project: string) => `Matrix of ${project}`,
    give: (person: string, role: string) => `Give ${person} the role ${role}`,
    where: (project: string, organization: string, loginName: string) =>
      `in ${project}, ${organization} (${loginName})`,
    signOut: "Sign out",
  },
  action: "Action",
} as const);
