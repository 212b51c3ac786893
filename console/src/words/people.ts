import { translated } from "./language/translated.ts";

export const peopleWords = translated("peopleWords", {
  title: "People",
  organization: "Organization",
  columns: { name: "Name", loginName: "Login name", organization: "Organization" },
  empty: "You see no people yet",
  emptyAdvice: "You see the people of the organizations that you administer, and of the assignments that you see.",
} as const);
