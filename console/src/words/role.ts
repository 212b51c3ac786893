import { counted } from "./counted.ts";
import { translated } from "./language/translated.ts";

export const roleWords = translated("roleWords", {
  kind: "Role",
  notFound: "This role can't be found",
  notFoundAdvice: "The role was removed, or you may not see its project.",
  facts: { key: "Key", group: "Group", description: "What it allows", grants: "Granted to" },
  keyOf: "the key of this role",
  toNone: "no organization to show",
  holders: "Who holds it",
  owned: "the project's owner",
  throughGrant: (owner: string) => `the grant of ${owner}`,
  none: "No holders to show.",
  inTable: (count: number) => `Show ${counted(count, ["assignment", "assignments"])} in the table`,
} as const);
