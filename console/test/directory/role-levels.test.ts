import { expect, it } from "vitest";
import { permissionsOfRole } from "../../../src/authorization/permissions.ts";
import { levelOf, levelsOf } from "../../src/directory/administrator-roles.ts";

const known = Object.entries(permissionsOfRole).map(([role, permissions]) => ({ role, permissions: [...permissions] }));

it.each([
  ["instance", ["IAM_OWNER", "IAM_ORG_MANAGER", "IAM_USER_MANAGER", "IAM_LOGIN_CLIENT", "IAM_OWNER_VIEWER"], []],
  [
    "organization",
    ["ORG_OWNER", "ORG_USER_PERMISSION_EDITOR", "ORG_OWNER_VIEWER"],
    ["ORG_PROJECT_PERMISSION_EDITOR", "ORG_USER_MANAGER"],
  ],
  // PROJECT_OWNER_VIEWER_GLOBAL allows the same as PROJECT_OWNER_VIEWER.
  ["project", ["PROJECT_OWNER", "PROJECT_OWNER_GLOBAL", "PROJECT_OWNER_VIEWER"], []],
  ["projectGrant", ["PROJECT_GRANT_OWNER", "PROJECT_GRANT_OWNER_VIEWER"], []],
] as const)("the roles of the scope %s are levels where one includes the other", (level, nested, parts) => {
  const levels = levelsOf(known.filter(({ role }) => levelOf(role) === level));
  expect(levels.nested).toEqual(nested);
  expect(levels.parts.toSorted()).toEqual(parts);
});
