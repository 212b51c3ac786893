import { translated } from "./language/translated.ts";

/** The words about people, projects and organizations that were removed. */
export const removedWords = translated("removedWords", {
  kinds: { user: "Removed person", project: "Removed project", organization: "Removed organization" },
  mark: "removed",
  loginName: "Login name",
  belongedTo: "Belonged to",
  ownedBy: "Was owned by",
  when: "Removed",
  by: "Removed by",
  why: "Reason",
} as const);
