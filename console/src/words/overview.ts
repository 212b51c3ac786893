import { translated } from "./language/translated.ts";

/** The words of the overview. */
export const overviewWords = translated("overviewWords", {
  title: "Overview",
  newest: "Newest",
  days: (count: number) => `${count} days`,
  byState: "By state",
  byOrganization: "By organization",
  byProject: "By project",
  byRole: "By role",
  byRoleHint: "An assignment with several roles counts with each of them.",
  inOtherOrganizations: (assignments: string) => `${assignments} in other organizations`,
  forOtherProjects: (assignments: string) => `${assignments} for other projects`,
  otherRoles: (count: number, times: string) => `Other roles are held ${count === 1 ? "once" : `${times} times`}`,
  none: "None",
  within: (name: string, within: string) => `${name} in ${within}`,
  bar: (what: string, assignments: string, share: string) => `${what}: ${assignments}, ${share}`,
  created: "Created over time",
  newestDays: (count: number, text: string) =>
    `The latest ${count === 1 ? "day" : `${text} days`} with new assignments. Days begin at midnight UTC.`,
  newestDayExceedsLimit:
    "More than 100,000 assignments were created on the newest day. Days are counted only up to that number.",
  createdBefore: (assignments: string) => `${assignments} created before`,
} as const);
