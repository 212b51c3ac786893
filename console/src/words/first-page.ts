import { translated } from "./language/translated.ts";

/** The first page of administrators. */
export const firstPageWords = translated("firstPageWords", {
  title: "Home",
  ways: "Go to",
  people: "who there is, what they hold and administer",
  projects: "their roles, who may use them, and who holds them",
  organizations: "their people and projects",
  assignments: "the table of who holds which roles where",
  overview: "how many assignments there are, by place, role and day",
  history: "who changed what, when and why",
} as const);
