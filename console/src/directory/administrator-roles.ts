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

type Known = { readonly role: string; readonly permissions: readonly string[] };

/** How roles of one scope are chosen. */
export type Levels = {
  /** Each includes those that follow, and everything in `parts` or none of it: one is chosen. */
  readonly nested: readonly string[];
  /** None includes another one: they are chosen together. */
  readonly parts: readonly string[];
};

/** Sorts roles by what they allow. Of roles that allow the same, only the first is offered. */
export function levelsOf(roles: readonly Known[]): Levels {
  const offered = roles.filter((one, at) => !roles.slice(0, at).some((other) => has(one, other) && has(other, one)));
  const names = (isNested: boolean) =>
    offered
      .filter((one) => offered.every((other) => has(one, other) || has(other, one)) === isNested)
      .toSorted((one, other) => other.permissions.length - one.permissions.length)
      .map(({ role }) => role);
  return { nested: names(true), parts: names(false) };
}

function has(one: Known, other: Known): boolean {
  return other.permissions.every((permission) => one.permissions.includes(permission));
}
