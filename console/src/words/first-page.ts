import { translated } from "./language/translated.ts";

/** The first page of administrators. */
export const firstPageWords = translated("firstPageWords", {
  title: "Home",
  goTo: "Go to",
  ways: {
    people: "what they hold and administer",
    projects: "their roles, grants, and holders",
    organizations: "their people and projects",
    administrators: "who administers what",
    assignments: "who holds which roles where",
    overview: "assignments by place, role, and day",
    history: "who changed what, when, and why",
  },
} as const);
