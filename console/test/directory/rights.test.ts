import { AuthorizationSchema, GetCallerResponseSchema } from "@authorization-service/client";
import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import {
  everywhere,
  may,
  mayAdd,
  mayChange,
  mayGive,
  mayMoveOrRemovePeople,
  rolesToGive,
} from "../../src/directory/rights.ts";
import { callerWith } from "./callers.ts";

function caller(...told: Parameters<typeof callerWith>) {
  return create(GetCallerResponseSchema, callerWith(...told));
}

const inAcme = { organizationId: "acme" };
const inGlobex = { organizationId: "globex" };
const inShop = { organizationId: "acme", projectId: "p-shop" };
const inGrant = { organizationId: "globex", projectGrantId: "g-1" };

it("an entry counts only where it is, and one on the instance everywhere", () => {
  const owner = caller("acme", "ORG_OWNER");
  expect([inAcme, inShop, inGlobex, inGrant].map((where) => mayChange(owner, "administrator.write", where))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(mayChange(owner, "org.write", everywhere)).toBe(false);
  const manager = caller("instance", "IAM_ORG_MANAGER");
  expect([everywhere, inGrant].map((where) => mayChange(manager, "org.write", where))).toEqual([true, true]);
  expect(mayChange(undefined, "org.write", everywhere)).toBe(false);
});

it("entries on a grant are those of the granted organization, not of the project's owner", () => {
  expect(mayGive(caller("globex", "ORG_OWNER"), ["PROJECT_GRANT_OWNER"], inGrant)).toBe(true);
  expect(mayGive(caller("grant", "PROJECT_GRANT_OWNER"), ["PROJECT_GRANT_OWNER"], inGrant)).toBe(true);
  expect(mayGive(caller("shop", "PROJECT_OWNER"), ["PROJECT_GRANT_OWNER"], inGrant)).toBe(false);
});

it("only roles that permit nothing the caller lacks can be given", () => {
  const global = caller("shop", "PROJECT_OWNER_GLOBAL");
  expect(rolesToGive(global, "project", inShop)).toEqual([
    "PROJECT_OWNER_GLOBAL",
    "PROJECT_OWNER_VIEWER",
    "PROJECT_OWNER_VIEWER_GLOBAL",
  ]);
  expect(mayGive(global, ["PROJECT_OWNER", "PROJECT_OWNER_VIEWER"], inShop)).toBe(false);
});

it("entries on everything are only for those who may change everything", () => {
  expect(rolesToGive(caller("instance", "IAM_ORG_MANAGER"), "instance", everywhere)).toEqual([]);
  expect(rolesToGive(caller("instance", "IAM_OWNER"), "instance", everywhere)).toContain("IAM_OWNER_VIEWER");
});

it("a role that this console doesn't know can't be given", () => {
  expect(mayGive(caller("instance", "IAM_OWNER"), ["ORG_NEW"], inAcme)).toBe(false);
});

it("a login client changes people, but neither moves nor removes them", () => {
  const client = caller("instance", "IAM_LOGIN_CLIENT");
  expect([mayChange(client, "user.write", inAcme), mayMoveOrRemovePeople(client, inAcme)]).toEqual([true, false]);
  const both = caller("instance", "IAM_LOGIN_CLIENT", "IAM_USER_MANAGER");
  expect(mayMoveOrRemovePeople(both, inAcme)).toBe(true);
});

it("the owner of a project adds no others", () => {
  expect(mayAdd(caller("shop", "PROJECT_OWNER"), "project.write")).toBe(false);
  const owner = caller("acme", "ORG_OWNER");
  const places = [undefined, "acme", "globex"];
  expect(places.map((id) => mayAdd(owner, "project.write", id))).toEqual([true, true, false]);
});

it("organizations are added only by those who may change all of them", () => {
  expect(mayAdd(caller("acme", "ORG_OWNER"), "org.write")).toBe(false);
  expect(mayAdd(caller("instance", "IAM_ORG_MANAGER"), "org.write")).toBe(true);
});

it("an entry on a project counts for the assignments of its owner, and one on a grant for those of the granted", () => {
  const inShopOf = (id: string) =>
    create(AuthorizationSchema, {
      project: { id: "p-shop", organizationId: "acme" },
      organization: { id, name: id },
    });
  const places = ["acme", "globex"].map(inShopOf);
  const mayRead = (...told: Parameters<typeof callerWith>) =>
    places.map((place) => may(caller(...told), "user.grant.read", place));
  expect(mayRead("shop", "PROJECT_OWNER")).toEqual([true, false]);
  expect(mayRead("grant", "PROJECT_GRANT_OWNER")).toEqual([false, true]);
  expect(mayRead("globex", "ORG_OWNER")).toEqual([false, true]);
  expect(mayRead("instance", "IAM_OWNER_VIEWER")).toEqual([true, true]);
});
