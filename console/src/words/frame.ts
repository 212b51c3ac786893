import { translated } from "./language/translated.ts";
import { product } from "./product.ts";

/** The words of the frame around every view. */
export const frameWords = translated("frameWords", {
  product,
  skip: "Skip to content",
  views: "Views",
  assignments: "Assignments",
  /** Of people who administer nothing. */
  ownAccess: "Your access",
  history: "History",
  overview: "Overview",
  signOut: "Sign out",
  notFound: "Page not found",
  notFoundAdvice: "Check the address for typing mistakes, or go to the assignments.",
  toAssignments: "Go to the assignments",
  people: "People",
  projects: "Projects",
  organizations: "Organizations",
  administrators: "Administrators",
  account: (name: string) => `${name}: your account`,
} as const);
