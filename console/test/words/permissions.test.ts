import { expect, it } from "vitest";
import { permissions } from "../../../src/authorization/permissions.ts";
import { limitedPermissionWords, permissionWords } from "../../src/words/permissions.ts";

it("there are words for every permission, in the order of the service", () => {
  expect(Object.keys(permissionWords)).toEqual(permissions);
  const all: readonly string[] = permissions;
  expect(Object.keys(limitedPermissionWords).filter((permission) => !all.includes(permission))).toEqual([]);
});
