import { locale } from "./language/language.ts";
import { translated } from "./language/translated.ts";

const list = new Intl.ListFormat(locale, { type: "disjunction" });

/** The words of the first page of people who administer nothing. */
export const ownAccessWords = translated("ownAccessWords", {
  title: "Your access",
  columns: {
    project: "Project",
    roles: "Roles",
    organization: "Organization",
    since: "Since",
    ends: "Ends",
  },
  never: "Never",
  none: "You have no roles in any project yet.",
  more: (count: number) => `Show ${count.toLocaleString(locale)} more`,
  ask: "Whom to ask",
  advice: (organizations: readonly string[]) =>
    organizations.length === 0
      ? "Ask an administrator of your organization for roles in a project."
      : `If something is missing or too much, ask an administrator of ${list.format(organizations)}.`,
} as const);
