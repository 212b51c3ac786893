import {
  PermissionExplanationSchema,
  type PermissionScope,
  PermissionScopeSchema,
  type PermissionSource,
} from "@authorization-service/client";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { permissionInWords, reasonsInWords, remediesInWords, scopeInWords } from "../../src/panel/access.tsx";

type Scope = NonNullable<MessageInitShape<typeof PermissionScopeSchema>["scope"]>;

const acme = { id: "acme", name: "Acme" };
const shop = { id: "shop", name: "Shop", organizationId: "acme" };

function scope(one: Scope): PermissionScope {
  return create(PermissionScopeSchema, { scope: one });
}

function explained(permission: string, told: { sources?: PermissionSource[]; missing?: PermissionSource[] } = {}) {
  return create(PermissionExplanationSchema, { permission, held: told.sources !== undefined, ...told });
}

const inAcme = {
  scope: scope({ case: "organization", value: acme as never }),
  roles: ["ORG_OWNER", "ORG_USER_MANAGER"],
} as PermissionSource;

it("each scope is said in words", () => {
  const grant = { id: "g", project: shop, organization: { id: "globex", name: "Globex" } };
  const scopes: [MessageInitShape<typeof PermissionScopeSchema>, string][] = [
    [{ scope: { case: "instance", value: true } }, "for everything"],
    [{ scope: { case: "organization", value: acme } }, "in the organization Acme"],
    [{ scope: { case: "organization", value: { id: "acme" } } }, "in the organization acme"],
    [{ scope: { case: "project", value: shop } }, "for the project Shop, in the organization that owns it"],
    [{ scope: { case: "projectGrant", value: grant } }, "for the project Shop, as it is granted to Globex"],
    [{ scope: { case: "projectGrant", value: { id: "g" } } }, "for the project grant g"],
    [{}, "somewhere that this page doesn't know"],
  ];
  for (const [told, words] of scopes) expect(scopeInWords(create(PermissionScopeSchema, told))).toBe(words);
});

it("what one may is said of you, or of someone by name", () => {
  expect(permissionInWords("user.grant.read", true, "you")).toBe("You can see it");
  expect(permissionInWords("user.grant.write", false, "you")).toBe("You can't change its roles and its state");
  expect(permissionInWords("user.grant.delete", false, { name: "Bob" })).toBe("Bob can't delete it");
});

it("one's own assignment is a reason to see it, and none to change it", () => {
  expect(reasonsInWords(explained("user.grant.read"), true, "you")).toEqual(["It is your own assignment."]);
  expect(reasonsInWords(explained("user.grant.read"), true, { name: "Bob" })).toEqual(["It is their own assignment."]);
  expect(reasonsInWords(explained("user.grant.write"), true, "you")).toEqual([]);
});

it("entries of administrators are reasons, also those one may not know", () => {
  const held = explained("user.grant.write", { sources: [inAcme] });
  expect(reasonsInWords(held, false, "you")).toEqual([
    "You hold Owner and Manager of people in the organization Acme.",
  ]);
  held.moreSources = true;
  expect(reasonsInWords(held, false, { name: "Bob" })).toEqual([
    "They hold Owner and Manager of people in the organization Acme.",
    "They hold more, in places that are not shown to you.",
  ]);
});

it("what is missing is any one role of those named", () => {
  expect(remediesInWords(explained("user.grant.write", { missing: [inAcme] }))).toEqual([
    "Owner or Manager of people in the organization Acme",
  ]);
});
