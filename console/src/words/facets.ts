import { locale } from "./language/language.ts";
import { translated } from "./language/translated.ts";

const number = new Intl.NumberFormat(locale);

/** The words of the counts beside the table. */
export const facetWords = translated("facetWords", {
  title: "Narrow down",
  show: "Narrow down",
  done: "Show the assignments",
  facets: { project: "Project", organization: "Organization", role: "Role", state: "State" },
  states: { active: "Active", inactive: "Inactive" },
  count: (count: number) => number.format(count),
  counted: (count: number) => `${number.format(count)} ${count === 1 ? "assignment" : "assignments"}`,
  someOthers: "For others, see More filters",
  find: { project: "Find a project", organization: "Find an organization", role: "Find a role", state: "Find a state" },
  notFound: "Nothing has this name.",
  showAll: (count: number) => `Show all ${number.format(count)}`,
  counting: "Counting…",
  failed: "The counts could not be loaded.",
  retry: "Count again",
} as const);
