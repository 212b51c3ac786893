import { counted } from "./counted.ts";
import { translated } from "./language/translated.ts";

export const personWords = translated("personWords", {
  kind: "Person",
  notFound: "This person can't be found",
  notFoundAdvice: "The person was removed, or you may not see the organization the person belongs to.",
  assignments: {
    title: "Assignments",
    suspended: "Assignments (suspended)",
    none: "No assignments to show.",
    inTable: "Show in the table",
    open: "Details",
    openOf: (project: string, organization: string) => `Details of the assignment for ${project} in ${organization}`,
    in: "in",
    ends: "ends",
    granted: (owner: string) => `granted by ${owner}`,
    notListed: (count: number) => `${counted(count, ["more assignment is", "more assignments are"])} in the table.`,
  },
  administers: { title: "Administers", none: "No administrator roles to show." },
  history: {
    about: "History of this person",
    by: "What this person changed",
  },
} as const);
