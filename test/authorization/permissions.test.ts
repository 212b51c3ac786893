import { describe, expect, test } from "vitest";
import type { Place } from "../../src/authorization/authorization.ts";
import {
  permissions as all,
  type Caller,
  holdsPermission,
  isFittingRole,
  isLimited,
  type Permission,
  permissionsOfRole,
  requirePermission,
  type Scope,
  visibilityOf,
} from "../../src/authorization/permissions.ts";
import { fieldOnPage, isLimitedOnPage, permissionsOnPage, rolesOnPage } from "../support/permissions-page.ts";

const permissions = permissionsOnPage;
const roles = [...rolesOnPage.keys()];

const instance: Scope = { kind: "instance", id: "" };
const organization: Scope = { kind: "organization", id: "globex" };
const project: Scope = { kind: "project", id: "shop" };
const projectGrant: Scope = { kind: "projectGrant", id: "shop-to-globex" };

const owned: Place = { projectId: "shop", organizationId: "acme", projectGrantId: "" };
const granted: Place = { projectId: "shop", organizationId: "globex", projectGrantId: "shop-to-globex" };
const grantedElsewhere: Place = { projectId: "shop", organizationId: "initech", projectGrantId: "shop-to-initech" };
const ownedByGlobex: Place = { projectId: "depot", organizationId: "globex", projectGrantId: "" };
const elsewhere: Place = { projectId: "depot", organizationId: "umbrella", projectGrantId: "depot-to-umbrella" };
const places = { owned, granted, grantedElsewhere, ownedByGlobex, elsewhere };

describe("an administrator role", () => {
  test("gives the permissions of the table, and there is no other", () => {
    expect(permissionsOfRole).toEqual(Object.fromEntries(rolesOnPage));
    expect(all).toEqual(permissions);
  });

  test("limits what the table limits", () => {
    const limited = roles.flatMap((role) => permissions.map((permission) => isLimited(role, permission)));
    expect(limited).toEqual(roles.flatMap((role) => permissions.map((each) => isLimitedOnPage(role, each))));
  });

  test.each(roles)("%s goes with one kind of scope, by the beginning of its name", (role) => {
    const fitting = [instance, organization, project, projectGrant].filter((scope) => isFittingRole(role, scope));
    const scopes = { instance, organizationId: organization, projectId: project, projectGrantId: projectGrant };
    expect(fitting).toEqual([scopes[fieldOnPage(role)]]);
  });
});

describe("a caller holds a permission", () => {
  test.each<[string, Scope, (keyof typeof places)[]]>([
    ["everywhere, by an entry on the instance", instance, Object.keys(places) as (keyof typeof places)[]],
    ["on what is in the organization of its entry", organization, ["granted", "ownedByGlobex"]],
    ["on what the owner of the project of its entry assigns, not on what is granted", project, ["owned"]],
    ["on what hangs on the project grant of its entry", projectGrant, ["granted"]],
  ])("%s", (_where, scope, expected) => {
    const caller = callerWith({ scope, roles: roles.filter((role) => isFittingRole(role, scope)).slice(0, 1) });
    expect(whereHolds(caller, "user.grant.read")).toEqual(expected);
  });

  test("that any of its entries gives: they add up, and there is no deny", () => {
    const caller = callerWith(
      { scope: project, roles: ["PROJECT_OWNER_VIEWER"] },
      { scope: organization, roles: ["ORG_OWNER_VIEWER", "ORG_OWNER"] },
      { scope: projectGrant, roles: ["PROJECT_GRANT_OWNER_VIEWER"] },
    );
    expect(whereHolds(caller, "user.grant.read")).toEqual(["owned", "granted", "ownedByGlobex"]);
    expect(whereHolds(caller, "user.grant.write")).toEqual(["granted", "ownedByGlobex"]);
    expect(whereHolds(caller, "directory.write")).toEqual([]);
  });

  test("nowhere without an entry, or with an entry without roles", () => {
    expect(permissions.flatMap((each) => whereHolds(callerWith(), each))).toEqual([]);
    expect(permissions.flatMap((each) => whereHolds(callerWith({ scope: instance, roles: [] }), each))).toEqual([]);
  });

  test("nowhere by a role that this version does not know", () => {
    const caller = callerWith({ scope: instance, roles: ["IAM_OF_TOMORROW", "constructor"] as never });
    expect(permissions.flatMap((each) => whereHolds(caller, each))).toEqual([]);
  });

  test("or is refused with PERMISSION_DENIED, which names the permission", () => {
    const caller = callerWith({ scope: organization, roles: ["ORG_OWNER_VIEWER"] });
    expect(() => requirePermission(caller, "user.grant.read", granted)).not.toThrow();
    expect(() => requirePermission(caller, "user.grant.delete", granted)).toThrow(
      expect.objectContaining({ reason: "PERMISSION_DENIED", metadata: { permission: "user.grant.delete" } }),
    );
  });
});

test("a caller sees its own and the scopes in which it holds user.grant.read", () => {
  const caller = callerWith(
    { scope: organization, roles: [] },
    { scope: project, roles: ["PROJECT_OWNER"] },
    { scope: projectGrant, roles: ["PROJECT_GRANT_OWNER_VIEWER"] },
  );
  expect(visibilityOf(caller)).toEqual({ userId: "ann", scopes: [project, projectGrant] });
});

function callerWith(...entries: Caller["entries"]): Caller {
  return { userId: "ann", entries };
}

function whereHolds(caller: Caller, permission: Permission): string[] {
  return Object.entries(places)
    .filter(([, place]) => holdsPermission(caller, permission, place))
    .map(([name]) => name);
}
