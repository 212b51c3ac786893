import { counted } from "./pages.ts";

export const organizationsWords = {
  title: "Organizations",
  columns: { name: "Name" },
  empty: "You see no organizations yet",
  emptyAdvice: "You see the organizations that you administer, and those of the assignments that you see.",
} as const;

export const organizationWords = {
  kind: "Organization",
  notFound: "This organization can't be found",
  notFoundAdvice: "The organization was removed, or you may not see it.",
  toOrganizations: "Go to the organizations",
  people: {
    title: "People",
    none: "No people that you may see.",
    all: (count: number) => `All ${counted(count, ["person", "people"])}`,
  },
  projects: {
    title: "Its projects",
    none: "It owns no projects that you may see.",
    all: "All projects of this organization",
  },
  granted: {
    title: "Projects granted to it",
    none: "No projects that you may see are granted to it.",
    by: "granted by",
  },
  notListed: (count: number) => `${counted(count, ["more project is", "more projects are"])} not listed.`,
  administrators: { title: "Administrators", none: "No administrators that you may see." },
  more: "More about this organization",
  assignments: "Assignments in this organization",
  history: {
    title: "History",
    none: "No changes that you may see.",
  },
} as const;
