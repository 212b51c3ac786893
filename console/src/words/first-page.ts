import { translated } from "./language/translated.ts";

/** The first page of administrators. */
export const firstPageWords = translated("firstPageWords", {
  title: "Home",
  goTo: "Go to",
  newest: "Newest assignments",
} as const);
