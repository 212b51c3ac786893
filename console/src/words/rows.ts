import { counted } from "./counted.ts";
import { locale } from "./language/language.ts";
import { translated } from "./language/translated.ts";

/** The columns that the lists of people, projects and organizations have in common, and their files. */
export const rowWords = translated("rowWords", {
  assignments: "Assignments",
  lastChange: "Last change",
  administrators: "Administrators",
  count: (total: number) => total.toLocaleString(locale),
  none: "None",
  noneSeen: "None that you can see",
  others: (count: number) => `and ${counted(count, ["other", "others"])}`,
  select: (name: string) => `Select ${name}`,
  selectPage: "Select all on this page",
  theirAssignments: "Show their assignments",
  tooManyPeople: (most: number) => `Select at most ${most} people to show their assignments.`,
  compare: "Compare",
  exportSelected: "Export selected",
  export: {
    people: { file: "people", columns: ["Id", "Name", "Login name", "Organization id"] },
    projects: { file: "projects", columns: ["Id", "Name", "Owner's organization id", "Roles", "Grants"] },
    organizations: { file: "organizations", columns: ["Id", "Name"] },
  },
} as const);
