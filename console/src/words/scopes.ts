import { translated } from "./language/translated.ts";

/** Where administrator roles apply: before and after the names of things. */
export const scopeWords = translated("scopeWords", {
  of: "of",
  instance: "everything",
  asGrantedTo: "as granted to",
  elsewhere: "a place that this page doesn't know",
} as const);
