import { translated } from "./language/translated.ts";

/** The words of fields that search for things to pick. */
export const pickerWords = translated("pickerWords", {
  kinds: { users: "people", projects: "projects", organizations: "organizations" },
  search: (plural: string) => `Search ${plural}`,
  clear: (label: string) => `Clear ${label}`,
  remove: (name: string) => `Remove ${name}`,
  found: (plural: string) => `Found ${plural}`,
  picked: "Picked",
  unpicked: "Nothing is picked yet. Pick one from the list, or empty the field.",
  pickedOf: (plural: string) => `Picked ${plural}`,
  searching: "Searching…",
  failed: (title: string, advice: string) => `${title}. ${advice}`,
  none: (plural: string) => `There are no ${plural} to pick.`,
  noMatch: (plural: string, text: string) => `No ${plural} match “${text}”.`,
  more: (plural: string) => `There are more ${plural}. Type more of the name to find others.`,
} as const);
