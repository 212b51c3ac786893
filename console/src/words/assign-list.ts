import { counted } from "./counted.ts";
import { translated } from "./language/translated.ts";

const lines = ["line", "lines"] as const;
const theAssignments = ["assignment", "assignments"] as const;

/** The words of the page that creates and changes assignments by a list. */
export const assignListWords = translated("assignListWords", {
  title: "Assign roles from a list",
  open: "Assign roles to many people from a list",
  list: "Person, project, organization, and roles, one assignment in each line",
  hint: "Type them with commas between them, or paste rows from a spreadsheet. Names, login names, keys, and ids work. Several roles have commas between them.",
  example: "ann@acme.example, Shop, Acme, Seller, Auditor",
  columns: {
    person: "Person",
    project: "Project",
    organization: "Organization",
    roles: "Roles",
    none: "Not used",
  },
  none: "There is nothing in this list yet.",
  found: (count: number) => `${counted(count, lines)} found`,
  problemsFound: (count: number) => counted(count, ["line has a problem", "lines have problems"]),
  assign: (count: number) => `Save ${counted(count, theAssignments)}`,
  saved: (count: number) => `${counted(count, ["assignment is saved", "assignments are saved"])}.`,
  kept: (count: number) => `${counted(count, ["line is", "lines are"])} left in the list.`,
  leave: "Leave without saving these assignments? The list will be lost.",
  isThere: "Nothing to do: it has these roles already",
  isTwin: (line: number) => `Nothing to do: line ${line} says the same`,
  inactive: (text: string) => `${text} (it stays inactive)`,
  notAllowed: "You may not assign roles",
  notAllowedAdvice: "Ask an administrator.",
  problems: {
    missing: (what: string) => `The ${what} is missing`,
    unknown: (what: string, text: string) => `No ${what} “${text}” that you can see`,
    ambiguous: (what: string, text: string, matches: readonly string[]) =>
      `“${text}” can be more than one ${what}: ${matches.join(", ")}`,
    noRole: (role: string, place: string) => `“${role}” can't be assigned for ${place}`,
    of: { person: "person", project: "project", organization: "organization", roles: "role" },
  },
  /** Titles of columns as spreadsheets, other products and the console's own export write them, in lower case. */
  headers: {
    person: [
      "person id",
      "person",
      "user id",
      "userid",
      "user",
      "login name",
      "login",
      "user name",
      "username",
      "email",
    ],
    project: ["project id", "projectid", "project", "projekt", "application", "app"],
    organization: ["organization id", "organizationid", "organization", "organisation", "org", "tenant"],
    roles: ["role keys", "rolekeys", "roles", "role", "rollen", "rolle", "role key", "role names"],
  } as Record<"person" | "project" | "organization" | "roles", readonly string[]>,
} as const);
