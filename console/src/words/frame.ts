import { translated } from "./language/translated.ts";
import { product, titleOf } from "./product.ts";

/** The words of the frame around every view. */
export const frameWords = translated("frameWords", {
  product,
  skip: "Skip to the content",
  views: "Views",
  assignments: "Assignments",
  /** Of people who administer nothing. */
  ownAccess: "Your access",
  history: "History",
  overview: "Overview",
  signOut: "Sign out",
  notFoundTitle: titleOf("Not found"),
  notFound: "Page not found",
  notFoundAdvice: "There is nothing at this address. Check it for a typing mistake, or start from the assignments.",
  toAssignments: "Go to the assignments",
  people: "People",
  projects: "Projects",
  organizations: "Organizations",
  administrators: "Administrators",
  account: (name: string) => `${name}: your account`,
} as const);
