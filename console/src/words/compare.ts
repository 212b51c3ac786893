import { counted } from "./counted.ts";
import { locale } from "./language/language.ts";
import { translated } from "./language/translated.ts";

/** The words of the page that compares two people. */
export const compareWords = translated("compareWords", {
  title: "Compare access",
  open: "Give the same as…",
  compare: "Compare with…",
  people: "People to compare",
  from: "Has the access",
  to: "Gets the same",
  same: "Pick two different people.",
  notFound: "One of these people can't be found. The person was removed, or you may not see them.",
  onlyFirst: (most: number) => `Only the first ${most.toLocaleString(locale)} assignments of each are compared.`,
  advice: "Pick two people to see what one has and the other lacks. What is missing can be assigned from here.",
  administers: (name: string) => `${name} administers`,
  noAdministers: "No administrator roles to show.",
  assignments: "Assignments",
  place: "Project and organization",
  only: (name: string) => `Only ${name}`,
  both: "Both",
  choice: (role: string, name: string, project: string) => `${role} in ${project} for ${name}`,
  inactive: "Inactive:",
  review: (count: number, name: string) => `Give ${name} ${counted(count, ["role", "roles"])}…`,
  nothingToGive: "Nothing to give",
  none: "Neither of them has assignments that you can see.",
  noDifference: "They have the same roles everywhere you can see.",
  mayNot: "you can't assign roles there",
  notOffered: "can't be assigned there",
  asking: "checking",
} as const);
