import { expect, test } from "vitest";
import { demoAdministrators, demoCallers, demoLevels, demoWorld } from "../../demo/world.ts";
import { rolesOnPage } from "../support/permissions-page.ts";

const world = [...demoWorld()];
const organizations = world.flatMap((change) => ("organization" in change ? change.organization : []));
const projects = world.flatMap((change) => ("project" in change ? change.project : []));
const grants = world.flatMap((change) => ("projectGrant" in change ? change.projectGrant : []));
const users = world.flatMap((change) => ("user" in change ? change.user : []));
const administrators = world.flatMap((change) => ("administrator" in change ? change.administrator : []));
const authorizations = world.flatMap((change) => ("authorization" in change ? change.authorization : []));

type Authorization = (typeof authorizations)[number];
type Administrator = (typeof administrators)[number];

const ownerOf = new Map(projects.map(({ id, organizationId }) => [id, organizationId]));
const grantOf = new Map(grants.map((grant) => [`${grant.projectId} ${grant.organizationId}`, grant]));

test("two generations are identical", () => {
  expect([...demoWorld()].map((change) => JSON.stringify(change))).toEqual(
    world.map((change) => JSON.stringify(change)),
  );
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

test("some display names differ in case alone", () => {
  const differing = duplicates(
    [...new Set(users.map(({ displayName }) => displayName))].map((name) => name.toLowerCase()),
  );
  expect(differing).toEqual(expect.arrayContaining(["åsa ängström", "łucja wójcik"]));
});

test("no assignment was changed, because its history has only the event that added it", () => {
  expect(authorizations.filter((one) => "changeDate" in one)).toEqual([]);
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
