import { counted } from "./counted.ts";
import { translated } from "./language/translated.ts";

export const administratorsWords = translated("administratorsWords", {
  title: "Administrators",
  person: "Person",
  organization: "Organization",
  project: "Project",
  role: "Role",
  anyRole: "Any role",
  levels: {
    instance: "For everything",
    organization: "For an organization",
    project: "For a project",
    projectGrant: "For a grant",
  },
  empty: "You see no administrators",
  emptyAdvice: "You see your own administrator roles, and those within what you may see as an administrator.",
  all: (count: number) => `All ${counted(count, ["entry", "entries"])}`,
} as const);
