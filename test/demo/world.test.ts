import { expect, test } from "vitest";
import { type ChangeJson, demoAdministrators, demoCallers, demoLevels, demoWorld } from "../../demo/world.ts";
import { fieldOnPage, rolesOnPage } from "../support/permissions-page.ts";

const world = [...demoWorld()];
const organizations = world.flatMap((change) => ("organization" in change ? change.organization : []));
const projects = world.flatMap((change) => ("project" in change ? change.project : []));
const projectRoles = world.flatMap((change) => ("projectRole" in change ? change.projectRole : []));
const grants = world.flatMap((change) => ("projectGrant" in change ? change.projectGrant : []));
const users = world.flatMap((change) => ("user" in change ? change.user : []));
const administrators = world.flatMap((change) => ("administrator" in change ? change.administrator : []));
const authorizations = world.flatMap((change) => ("authorization" in change ? change.authorization : []));

type Authorization = (typeof authorizations)[number];
type Administrator = (typeof administrators)[number];

const organizationIds = new Set(organizations.map(({ id }) => id));
const userIds = new Set(users.map(({ id }) => id));
const grantIds = new Set(grants.map(({ id }) => id));
const ownerOf = new Map(projects.map(({ id, organizationId }) => [id, organizationId]));
const grantOf = new Map(grants.map((grant) => [`${grant.projectId} ${grant.organizationId}`, grant]));
const keysOf = Map.groupBy(projectRoles, ({ projectId }) => projectId);

test("two generations are identical", () => {
  expect([...demoWorld()].map((change) => JSON.stringify(change))).toEqual(
    world.map((change) => JSON.stringify(change)),
  );
});

test("every line is one thing, and nothing is named before it is there", () => {
  const order = ["organization", "project", "projectRole", "projectGrant", "user", "administrator", "authorization"];
  const places = world.map((change: ChangeJson) => {
    expect(Object.keys(change)).toHaveLength(1);
    return order.indexOf(Object.keys(change).join());
  });
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
});

test("there is as much of everything as was promised", () => {
  expect(organizations.length).toSatisfy(between(8, 12));
  expect(projects.length).toSatisfy(between(8, 12));
  expect(users.length).toSatisfy(between(1_900, 2_100));
  expect(authorizations.length).toSatisfy(between(9_500, 10_500));
  expect(share(authorizations, ({ state }) => state === "STATE_INACTIVE")).toSatisfy(between(0.04, 0.06));
  expect(share(users, ({ avatarUrl }) => avatarUrl !== "")).toSatisfy(between(0.05, 0.3));
  expect(new Set(authorizations.map(({ roleKeys }) => roleKeys.length))).toEqual(new Set([0, 1, 2, 3, 4]));
});

test("no thing is named twice", () => {
  const names = [
    ...organizations.map(({ id }) => `organization ${id}`),
    ...projects.map(({ id }) => `project ${id}`),
    ...projectRoles.map(({ projectId, key }) => `role ${projectId} ${key}`),
    ...grants.map(({ id }) => `grant ${id}`),
    ...grants.map(({ projectId, organizationId }) => `grant of ${projectId} to ${organizationId}`),
    ...users.map(({ id }) => `user ${id}`),
    ...users.map(({ preferredLoginName }) => `login name ${preferredLoginName.toLowerCase()}`),
    ...administrators.map(({ roles, ...userAndScope }) => `administrator ${JSON.stringify(userAndScope)}`),
    ...authorizations.map(({ id }) => `authorization ${id}`),
    ...authorizations.map((one) => `${one.userId} in ${one.projectId} in ${one.organizationId}`),
  ];
  expect(duplicates(names)).toEqual([]);
});

test("ids are slugs of up to 200 characters", () => {
  const keyed = [...organizations, ...projects, ...grants, ...users, ...authorizations].map(({ id }) => id);
  const ids = [...keyed, ...projectRoles.map(({ key }) => key)];
  expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id) || id.length > 200)).toEqual([]);
});

test("names are there, composed, and of up to 200 characters", () => {
  const names = [...organizations.map(({ name }) => name), ...projects.map(({ name }) => name)];
  names.push(...users.map(({ displayName }) => displayName), ...projectRoles.map(({ displayName }) => displayName));
  expect(names.filter((name) => !/^\S(.*\S)?$/.test(name) || name.length > 200 || name !== name.normalize())).toEqual(
    [],
  );
  for (const letter of "ÄäéÉßŁłØøŚŞıΣσş佐Đ")
    expect(names.some((name) => name.includes(letter)) || letter).not.toBe(letter);
});

test("some display names differ in case alone", () => {
  const differing = duplicates(
    [...new Set(users.map(({ displayName }) => displayName))].map((name) => name.toLowerCase()),
  );
  expect(differing).toEqual(expect.arrayContaining(["åsa ängström", "łucja wójcik"]));
});

test("users belong to an organization and to the domains kept for examples", () => {
  for (const { organizationId, preferredLoginName, avatarUrl } of users) {
    expect(organizationIds).toContain(organizationId);
    expect(preferredLoginName).toMatch(new RegExp(`^[a-z]+\\.[a-z]+[0-9]*@${organizationId}\\.example$`));
    expect(avatarUrl).toMatch(/^$|^https:\/\/avatars\.[a-z]+\.example\/[a-z0-9-]+\.png$/);
  }
});

test("projects have an owner and at least four roles", () => {
  for (const { id, organizationId } of projects) {
    expect(organizationIds).toContain(organizationId);
    expect(keysOf.get(id)?.length).toBeGreaterThanOrEqual(4);
  }
  expect(projectRoles.filter(({ projectId, group }) => !ownerOf.has(projectId) || group === "")).toEqual([]);
});

test("grants go to another organization and hold keys of the project", () => {
  for (const { projectId, organizationId, roleKeys } of grants) {
    expect(organizationIds).toContain(organizationId);
    expect(ownerOf.has(projectId) && ownerOf.get(projectId) !== organizationId).toBe(true);
    expect(roleKeys.length).toBeGreaterThan(0);
    expect(duplicates(roleKeys)).toEqual([]);
    expect(keysOf.get(projectId)?.map(({ key }) => key)).toEqual(expect.arrayContaining(roleKeys));
  }
});

test("authorizations are in the owner or a grantee of the project and hold keys that are valid there", () => {
  for (const { userId, projectId, organizationId, roleKeys } of authorizations) {
    const granted = grantOf.get(`${projectId} ${organizationId}`)?.roleKeys;
    const owned = ownerOf.get(projectId) === organizationId ? keysOf.get(projectId)?.map(({ key }) => key) : undefined;
    const valid = granted ?? owned;
    expect(userIds.has(userId) && valid !== undefined).toBe(true);
    expect(roleKeys.length).toBeLessThanOrEqual(4);
    expect(duplicates(roleKeys)).toEqual([]);
    expect(roleKeys.filter((key) => !valid?.includes(key))).toEqual([]);
  }
});

test("dates are of three years, in microseconds at most, as protobuf prints them", () => {
  for (const { creationDate } of authorizations) {
    expect(creationDate).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.(?!000Z)\d{3}|\.\d{3}(?!000)\d{3})?Z$/);
    expect(Date.parse(creationDate)).toSatisfy(between(Date.UTC(2023, 0), Date.UTC(2026, 0)));
  }
  const years = Map.groupBy(authorizations, ({ creationDate }) => creationDate.slice(0, 4));
  for (const year of ["2023", "2024", "2025"]) expect(years.get(year)?.length).toSatisfy(between(3_000, 3_700));
});

test("no assignment was changed, because its history has only the event that added it", () => {
  expect(authorizations.filter((one) => "changeDate" in one)).toEqual([]);
});

test("administrators have roles of their one scope, and the scope exists", () => {
  const scopes = {
    instance: new Set<unknown>([true]),
    organizationId: new Set<unknown>(organizationIds),
    projectId: new Set<unknown>(ownerOf.keys()),
    projectGrantId: new Set<unknown>(grantIds),
  };
  for (const { userId, roles, ...scope } of administrators) {
    expect(userIds).toContain(userId);
    expect(Object.keys(scope)).toHaveLength(1);
    for (const [kind, value] of Object.entries(scope)) {
      expect(scopes[kind as keyof typeof scopes]).toContain(value);
      expect(
        roles.filter((role) => fieldOnPage(role) !== kind || ![...rolesOnPage.keys()].some((one) => one === role)),
      ).toEqual([]);
    }
    expect(roles.length).toBeGreaterThan(0);
    expect(duplicates(roles)).toEqual([]);
  }
  const inUse = administrators.flatMap(({ roles }) => roles);
  expect(inUse.filter((role) => role === "IAM_OWNER")).toHaveLength(1);
  expect(inUse).toEqual(expect.arrayContaining(["IAM_OWNER_VIEWER", "PROJECT_OWNER", "PROJECT_GRANT_OWNER"]));
  for (const { id } of organizations) {
    const entries = administrators.filter((entry) => "organizationId" in entry && entry.organizationId === id);
    expect(entries.flatMap(({ roles }) => roles)).toContain("ORG_OWNER");
  }
});

test("on each level there are administrators of every role that may change the directory", () => {
  const held = new Set<string>(administrators.flatMap(({ roles }) => roles));
  const changing = [...rolesOnPage].filter(([, permissions]) =>
    permissions.some((one) => !one.startsWith("user.grant.")),
  );
  expect(changing.filter(([role]) => !held.has(role))).toEqual([]);
});

test("the people whose tokens are printed are on every level: instance, organization, project and grant, owners and viewers", () => {
  const scopesOf = (userId: string) =>
    administrators.filter((entry) => entry.userId === userId).map(({ userId: _, ...entry }) => entry);
  const { instanceOwner, organizationOwner } = demoCallers;
  expect([scopesOf(instanceOwner), scopesOf(organizationOwner)]).toEqual([
    [{ instance: true, roles: ["IAM_OWNER"] }],
    [{ organizationId: "acme", roles: ["ORG_OWNER"] }],
  ]);
  const people = demoAdministrators();
  expect(people.map(({ userId }) => scopesOf(userId))).toEqual(demoLevels.map(({ entry }) => [entry]));
  for (const kind of ["instance", "organizationId", "projectId", "projectGrantId"]) {
    expect(demoLevels.some(({ entry }) => kind in entry)).toBe(true);
  }
});

test("Ann sells in the shop, and Bob audits it at Globex because Acme granted it", () => {
  expect(users).toContainEqual(expect.objectContaining({ id: "ann", organizationId: "acme" }));
  expect(users).toContainEqual(expect.objectContaining({ id: "bob", organizationId: "globex" }));
  expect(grants.find(({ id }) => id === "shop-to-globex")).toEqual({
    id: "shop-to-globex",
    projectId: "shop",
    organizationId: "globex",
    roleKeys: ["auditor", "seller"],
  });
  const inShop = { projectId: "shop", state: "STATE_ACTIVE" };
  expect(authorizations).toContainEqual(
    expect.objectContaining({ ...inShop, userId: "ann", organizationId: "acme", roleKeys: ["seller"] }),
  );
  expect(authorizations).toContainEqual(
    expect.objectContaining({ ...inShop, userId: "bob", organizationId: "globex", roleKeys: ["auditor"] }),
  );
});

test("the three callers see everything, one organization, and their own", () => {
  const { instanceOwner, organizationOwner, plainUser } = demoCallers;
  expect(seenBy(instanceOwner)).toEqual(authorizations);
  expect(seenBy(organizationOwner)).toEqual(authorizations.filter(({ organizationId }) => organizationId === "acme"));
  expect(seenBy(organizationOwner).length).toSatisfy(between(2_000, 4_000));
  expect(seenBy(plainUser)).toEqual(authorizations.filter(({ userId }) => userId === plainUser));
  expect(seenBy(plainUser).length).toSatisfy(between(3, 5));
});

test("who administrates a project or a grant sees a part of an organization", () => {
  for (const kind of ["projectId", "projectGrantId"] as const) {
    const entries = administrators.filter((entry) => kind in entry);
    for (const { userId } of entries) expect(seenBy(userId).length, userId).toSatisfy(between(10, 1_000));
  }
});

/** The rule of who sees what (docs/explanation/who-sees-what.md), where every role that occurs can read. */
function seenBy(userId: string): Authorization[] {
  const entries = administrators.filter((entry) => entry.userId === userId);
  return authorizations.filter((one) => one.userId === userId || entries.some((entry) => covers(entry, one)));
}

function covers(scope: Administrator, { projectId, organizationId }: Authorization): boolean {
  if ("instance" in scope) return true;
  if ("organizationId" in scope) return scope.organizationId === organizationId;
  if ("projectId" in scope) return scope.projectId === projectId && ownerOf.get(projectId) === organizationId;
  return scope.projectGrantId === grantOf.get(`${projectId} ${organizationId}`)?.id;
}

function between(least: number, most: number) {
  return (value: number): boolean => least <= value && value <= most;
}

function share<T>(things: T[], holds: (thing: T) => boolean): number {
  return things.filter(holds).length / things.length;
}

function duplicates(names: string[]): string[] {
  const seen = new Set<string>();
  return names.filter((name) => seen.size === seen.add(name).size);
}
