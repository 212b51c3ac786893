import { counted } from "./counted.ts";
import { locale } from "./language/language.ts";
import { translated } from "./language/translated.ts";

const number = new Intl.NumberFormat(locale);

/** The words of the matrices: of people and roles, and of people and projects. */
export const matrixWords = translated("matrixWords", {
  open: "Matrix",
  openProjects: "Matrix",
  ofProject: (name: string) => `People and roles of ${name}`,
  ofOrganization: (name: string) => `People and projects of ${name}`,
  notFound: "This matrix can't be shown",
  notFoundAdvice: "The project or organization was removed, or you may not see it.",
  peopleAndRoles: "People and roles",
  peopleAndProjects: "People and projects",
  tools: "Rows and columns",
  findRoles: "Find roles",
  findProjects: "Find projects",
  person: "Person",
  loginName: "Login name",
  organization: "Organization",
  yes: "yes",
  notGranted: (role: string, organization: string) => `${role} is not granted to ${organization}`,
  /** What a cell is called. */
  cell: (person: string, column: string, holds: boolean | string, lack: string | undefined, isEdited: boolean) => {
    const held = typeof holds === "string" ? holds || "no roles" : holds ? "yes" : "no";
    const state = lack === undefined ? "" : typeof holds === "string" ? ` (${lack})` : `, ${lack}`;
    return `${person}, ${column}: ${held}${state}${isEdited ? " (changed)" : ""}`;
  },
  shown: (rows: number, columns: number, found: number, isOfRoles: boolean) => {
    const several = isOfRoles ? "roles" : "projects";
    const some = columns < found ? `${number.format(columns)} of ` : "";
    const hint = columns < found ? ` Find others by name.` : "";
    return `${counted(rows, ["row", "rows"])}, ${some}${counted(found, [several.slice(0, -1), several])}.${hint}`;
  },
  onlyFirst: (most: number) => `Only the first ${number.format(most)} assignments are shown. Add a filter.`,
  notListed: (count: number) =>
    `${counted(count, ["column is", "columns are"])} not listed, because there are too many.`,
  none: "No assignments match.",
  changes: "Changes",
  changed: (count: number) => `${counted(count, ["assignment", "assignments"])} changed, not saved yet`,
  review: "Review…",
  discard: "Discard",
  leave: "Leave without saving the changes? The changed cells will be lost.",
  take: "Apply",
} as const);
