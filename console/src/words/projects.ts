import { counted } from "./counted.ts";
import { translated } from "./language/translated.ts";

export const projectsWords = translated("projectsWords", {
  title: "Projects",
  organization: "Organization",
  columns: { name: "Name", owner: "Owner", roles: "Roles", grants: "Granted to" },
  roles: (count: number) => counted(count, ["role", "roles"]),
  grants: (count: number) => (count === 0 ? "no one" : counted(count, ["organization", "organizations"])),
  empty: "You see no projects yet",
  emptyAdvice: "You see the projects that you administer, and those of the assignments that you see.",
} as const);

export const projectWords = translated("projectWords", {
  kind: "Project",
  notFound: "This project can't be found",
  notFoundAdvice: "The project was removed, or you may not see it.",
  roles: {
    title: "Roles",
    none: "No roles yet. A role is what a person can have in this project.",
    noGroup: "No group",
    holders: (count: number) => counted(count, ["assignment", "assignments"]),
    notListed: (count: number) => `${counted(count, ["more role is", "more roles are"])} not listed.`,
  },
  grants: {
    title: "Grants",
    none: "No grants yet. A grant lets another organization give some of the roles to people.",
    notListed: (count: number) => `${counted(count, ["more grant is", "more grants are"])} not listed.`,
  },
  administrators: {
    title: "Administrators",
    none: "No administrators yet. An owner changes the project and gives its roles to people.",
  },
  holders: {
    title: "Who holds what",
    none: "No assignments yet. An assignment gives a person roles in this project.",
    all: (count: number) => (count === 1 ? "1 assignment" : `All ${counted(count, ["assignment", "assignments"])}`),
    in: (organization: string) => `in ${organization}`,
    inOthers: (count: number) => `${counted(count, ["assignment", "assignments"])} in other organizations`,
  },
} as const);
