import { counted } from "./counted.ts";
import { translated } from "./language/translated.ts";

export const organizationsWords = translated("organizationsWords", {
  title: "Organizations",
  columns: { name: "Name" },
  empty: "You see no organizations yet",
  emptyAdvice: "You see the organizations that you administer, and those of the assignments that you see.",
} as const);

export const organizationWords = translated("organizationWords", {
  kind: "Organization",
  notFound: "This organization can't be found",
  notFoundAdvice: "The organization was removed, or you may not see it.",
  people: {
    title: "People",
    none: "No people yet. People can have roles in projects here and elsewhere.",
    all: (count: number) => (count === 1 ? "1 person" : `All ${counted(count, ["person", "people"])}`),
  },
  projects: {
    title: "Projects",
    none: "No projects yet. A project has the roles that people can have. Other organizations can grant theirs.",
    all: "All projects of this organization",
    grantedBy: "granted by",
  },
  notListed: (count: number) => `${counted(count, ["more project is", "more projects are"])} not listed.`,
  administrators: {
    title: "Administrators",
    none: "No administrators yet. An owner changes the organization and what belongs to it.",
  },
  assignments: "All assignments",
} as const);
