import { administratorRoleWords } from "../words/administrator-roles.ts";

/** Where roles apply. */
export type Level = "instance" | "organization" | "project" | "projectGrant";

/** The prefix of a role's name says where it applies. */
export function levelOf(role: string): Level {
  if (role.startsWith("IAM_")) return "instance";
  if (role.startsWith("ORG_")) return "organization";
  return role.startsWith("PROJECT_GRANT_") ? "projectGrant" : "project";
}

/** The roles of a level that the console has words for. */
export function rolesOfLevel(level: Level): string[] {
  return Object.keys(administratorRoleWords).filter((role) => levelOf(role) === level);
}
