import { expect, it } from "vitest";
import { permissions } from "../../../src/authorization/permissions.ts";
import { permissionWords } from "../../src/words/permissions.ts";

it("there are words for every permission, in the order of the service", () => {
  expect(Object.keys(permissionWords)).toEqual(permissions);
});
