import { describe, expect, test } from "vitest";
import {
  type Explained,
  explain,
  heldPermissions,
  type NamedScope,
  placeOf,
  type Source,
} from "../../src/authorization/access.ts";
import {
  type AdministratorRole,
  permissions as all,
  type Caller,
  holdsPermission,
  type Permission,
  permissionsOfRole,
  roleFitsScope,
} from "../../src/authorization/permissions.ts";

const roles = Object.keys(permissionsOfRole) as AdministratorRole[];
const permissions: Permission[] = ["user.grant.read", "user.grant.write", "user.grant.delete"];

const [acme, globex] = ["acme", "globex"].map((id) => ({ id, name: `${id}'s name` })) as [Named, Named];
const [shop, depot] = ["shop", "depot"].map((id) => ({ id, name: `${id}'s name`, organizationId: "acme" })) as [
  Named & { organizationId: string },
  Named & { organizationId: string },
];
type Named = { id: string; name: string };

const scopes = {
  instance: { kind: "instance" },
  acme: { kind: "organization", organizationId: "acme", organization: acme },
  globex: { kind: "organization", organizationId: "globex", organization: globex },
  shop: { kind: "project", projectId: "shop", project: shop },
  depot: { kind: "project", projectId: "depot", project: depot },
  shopToGlobex: { kind: "projectGrant", projectGrantId: "shop-to-globex", project: shop, organization: globex },
  depotToGlobex: { kind: "projectGrant", projectGrantId: "depot-to-globex", project: depot, organization: globex },
} satisfies Record<string, NamedScope>;

const everyScope: readonly NamedScope[] = Object.values(scopes);

/** Shop in its owner Acme, and Shop as it is granted to Globex. */
const owned: Explained = { userId: "ann", project: shop, organization: acme, projectGrantId: "" };
const granted: Explained = { userId: "ann", project: shop, organization: globex, projectGrantId: "shop-to-globex" };

/** Every entry of one role that there can be. */
const entries: readonly Source[] = everyScope.flatMap((scope) =>
  roles.filter((role) => roleFitsScope(role, scope)).map((role) => ({ scope, roles: [role] })),
);

const root: Caller = { userId: "root", entries: [{ scope: scopes.instance, roles: ["IAM_OWNER_VIEWER"] }] };

function userWith(...its: Source[]): Caller {
  return { userId: "bob", entries: its };
}

describe.each([
  ["in the organization that owns the project", owned],
  ["on a project grant", granted],
])("access to an authorization %s", (_, explained) => {
  test("is held by exactly what the guard accepts, for every role in every scope, and comes from that", () => {
    expect(entries.length).toBeGreaterThan(25);
    for (const entry of entries) {
      const user = userWith(entry);
      const access = explain(explained, user, user);
      for (const { permission, held, sources, moreSources } of access.permissions) {
        const expected = holdsPermission(user, permission, placeOf(explained));
        expect([entry, permission, held, sources]).toEqual([entry, permission, expected, expected ? [entry] : []]);
        expect(moreSources).toBe(false);
      }
      expect(access.sees).toBe(holdsPermission(user, "user.grant.read", placeOf(explained)));
      expect(access.own).toBe(false);
      expect(access.permissions.map(({ permission }) => permission)).toEqual(permissions);
    }
  });

  test("misses exactly the roles in the scopes that would give it", () => {
    for (const held of [[], ...entries.map((entry) => [entry])]) {
      for (const { permission, missing, ...access } of explain(explained, userWith(...held), root).permissions) {
        const giving = entries.filter((entry) => holdsPermission(userWith(entry), permission, placeOf(explained)));
        const expected = access.held ? [] : giving.map(({ scope, roles: [role] }) => [scope, role]);
        expect(missing.flatMap(({ scope, roles: any }) => any.map((role) => [scope, role]))).toEqual(
          expect.arrayContaining(expected),
        );
        expect(missing.flatMap(({ roles: any }) => any)).toHaveLength(expected.length);
        for (const source of missing) expect(source.roles).toEqual(source.roles.toSorted());
      }
    }
  });

  test("adds up over entries, sorted by kind of scope, with the roles that count and no others, sorted", () => {
    const grant: Source = { scope: scopes.shopToGlobex, roles: ["PROJECT_GRANT_OWNER_VIEWER"] };
    const project: Source = { scope: scopes.shop, roles: ["PROJECT_OWNER_VIEWER"] };
    const organizations: Source[] = [scopes.globex, scopes.acme].map((scope) => ({
      scope,
      roles: ["ORG_USER_MANAGER", "ORG_OWNER_VIEWER", "ORG_OWNER"],
    }));
    const instance: Source = { scope: scopes.instance, roles: ["IAM_LOGIN_CLIENT"] };
    const user = userWith(grant, project, ...organizations, instance);
    const [, own] = organizations;
    const [its, ofIts, ofProject] =
      explained === owned ? [scopes.acme, own, project] : [scopes.globex, organizations[0], grant];
    expect(ofIts?.scope).toEqual(its);
    const changing = { scope: its, roles: ["ORG_OWNER", "ORG_USER_MANAGER"] };
    expect(explain(explained, user, user).permissions.map(({ sources }) => sources)).toEqual([
      [instance, { scope: its, roles: ["ORG_OWNER", "ORG_OWNER_VIEWER", "ORG_USER_MANAGER"] }, ofProject],
      [instance, changing],
      [changing],
    ]);
  });
});

describe("access to one's own authorization", () => {
  test("is to see it, and no more, whatever the entries are", () => {
    const user = { userId: "ann", entries: [] };
    const { sees, own, permissions: each } = explain(owned, user, user);
    expect({ sees, own }).toEqual({ sees: true, own: true });
    expect(each.map(({ held }) => held)).toEqual([false, false, false]);
  });
});

describe("Of another user's entries an asker is told", () => {
  const everybody = [scopes.instance, scopes.acme, scopes.globex, scopes.shop, scopes.shopToGlobex].map(
    (scope): Source => ({ scope, roles: roles.filter((role) => roleFitsScope(role, scope)).slice(0, 1) }),
  );

  test.each<[keyof typeof scopes, Explained, NamedScope[]]>([
    ["instance", owned, [scopes.instance, scopes.acme, scopes.shop]],
    ["instance", granted, [scopes.instance, scopes.globex, scopes.shopToGlobex]],
    ["acme", owned, [scopes.acme, scopes.shop]],
    ["acme", granted, []],
    ["globex", owned, []],
    ["globex", granted, [scopes.globex, scopes.shopToGlobex]],
    ["shop", owned, [scopes.shop]],
    ["shop", granted, []],
    ["depot", owned, []],
    ["shopToGlobex", owned, []],
    ["shopToGlobex", granted, [scopes.shopToGlobex]],
    ["depotToGlobex", granted, []],
  ])("those within %s where it may read, and otherwise that there are more (%#)", (name, explained, expected) => {
    const scope = scopes[name];
    const user = userWith(...everybody);
    const [reader] = roles.filter((role) => roleFitsScope(role, scope));
    const asker: Caller = { userId: "asker", entries: [{ scope, roles: [reader ?? "IAM_OWNER"] }] };
    const [read] = explain(explained, user, asker).permissions;
    expect(read?.sources.map((source) => source.scope)).toEqual(expected);
    expect(read).toMatchObject({ held: true, moreSources: expected.length < 3, missing: [] });
  });

  test("nothing by an entry that gives no right to read", () => {
    const asker: Caller = { userId: "asker", entries: [{ scope: scopes.instance, roles: [] }] };
    const [read] = explain(owned, userWith(...everybody), asker).permissions;
    expect(read).toMatchObject({ held: true, sources: [], moreSources: true });
  });
});

describe("the permissions held anywhere", () => {
  test("are in a fixed order, each with the entries that give it as they came, and their roles for it sorted", () => {
    const instance: Source = { scope: scopes.instance, roles: ["IAM_USER_MANAGER", "IAM_OWNER"] };
    const project: Source = { scope: scopes.depot, roles: ["PROJECT_OWNER_VIEWER_GLOBAL", "PROJECT_OWNER"] };
    const viewer: Source = { scope: scopes.globex, roles: ["ORG_OWNER_VIEWER"] };
    const both = { scope: scopes.instance, roles: ["IAM_OWNER", "IAM_USER_MANAGER"] };
    const owner = { scope: scopes.depot, roles: ["PROJECT_OWNER"] };
    expect(heldPermissions([instance, viewer, project], 3)).toEqual([
      { permission: "user.grant.read", sources: [both, viewer, { ...project, roles: project.roles.toSorted() }] },
      { permission: "user.grant.write", sources: [both, owner] },
      { permission: "user.grant.delete", sources: [both, owner] },
      { permission: "org.write", sources: [{ scope: scopes.instance, roles: ["IAM_OWNER"] }] },
      { permission: "user.write", sources: [both] },
      { permission: "project.write", sources: [{ scope: scopes.instance, roles: ["IAM_OWNER"] }, owner] },
      { permission: "project.role.write", sources: [{ scope: scopes.instance, roles: ["IAM_OWNER"] }, owner] },
      { permission: "project.grant.write", sources: [both, owner] },
      { permission: "administrator.write", sources: [{ scope: scopes.instance, roles: ["IAM_OWNER"] }, owner] },
      { permission: "directory.write", sources: [{ scope: scopes.instance, roles: ["IAM_OWNER"] }] },
    ]);
    expect(heldPermissions([viewer], 1).map(({ permission }) => permission)).toEqual(["user.grant.read"]);
    expect(heldPermissions([], 1)).toEqual([]);
  });

  test("are what the guard accepts: the directory by the instance alone, and nothing by a role of tomorrow", () => {
    const odd = { scope: scopes.acme, roles: ["IAM_OWNER" as const] };
    expect(heldPermissions([odd], 1).map(({ permission }) => permission)).toEqual(all.slice(0, -1));
    const tomorrow = { scope: scopes.instance, roles: ["IAM_OF_TOMORROW", "constructor"] as never };
    expect(heldPermissions([tomorrow], 1)).toEqual([]);
  });

  test("name the first entries that give them, and say of the others that there are some", () => {
    const viewers = [scopes.acme, scopes.globex].map((scope) => ({ scope, roles: ["ORG_OWNER_VIEWER" as const] }));
    const read = { permission: "user.grant.read", sources: viewers };
    expect(heldPermissions(viewers, 2)).toEqual([read]);
    expect(heldPermissions(viewers, 1)).toEqual([{ ...read, sources: viewers.slice(0, 1), moreSources: true }]);
  });
});
