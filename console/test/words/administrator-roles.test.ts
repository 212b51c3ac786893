import { expect, it } from "vitest";
import { isFittingRole, type Permission, permissionsOfRole as served } from "../../../src/authorization/permissions.ts";
import { levelOf } from "../../src/directory/administrator-roles.ts";
import { administratorRoleWords } from "../../src/words/administrator-roles.ts";

const roles = Object.keys(served) as (keyof typeof served)[];

it("every role can be given at the level where the service takes it", () => {
  const scopes = {
    instance: { kind: "instance", id: "" },
    organization: { kind: "organization", id: "o" },
    project: { kind: "project", id: "p" },
    projectGrant: { kind: "projectGrant", id: "g" },
  } as const;
  for (const role of roles) expect(isFittingRole(role, scopes[levelOf(role)]), role).toBe(true);
});

it("there are words for every role, and for no others", () => {
  expect(Object.keys(administratorRoleWords)).toEqual(roles);
});

/** What the words for a role name, by permission. Manages everything: names nothing else. */
const named: Partial<Record<Permission, RegExp>> = {
  "user.grant.write": /assignments/,
  "org.write": /organization/,
  "user.write": /people/,
  "project.write": /project/,
  "project.role.write": /roles/,
  "project.grant.write": /grants/,
  "administrator.write": /administrators/,
};

it.each(roles)("the words for %s name what it may change, and nothing else", (role) => {
  const words = administratorRoleWords[role]?.allows ?? "";
  const held: readonly Permission[] = served[role];
  expect(/^sees /.test(words)).toBe(held.length === 1);
  if (/everything, including/.test(words)) {
    expect(held).toContain("directory.write");
    return;
  }
  const wanted = held.filter((permission) => named[permission]);
  for (const permission of wanted) expect(words, permission).toMatch(named[permission] as RegExp);
  for (const permission of ["user.write", "project.role.write", "administrator.write"] as const) {
    if (!held.includes(permission)) expect(words, permission).not.toMatch(named[permission] as RegExp);
  }
});
