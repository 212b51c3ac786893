import { expect, test } from "vitest";
import { demoAdministrators, demoCallers, demoLevels, demoWorld } from "../../demo/world.ts";
import { rolesOnPage } from "../support/permissions-page.ts";

const world = [...demoWorld()];
const organizations = world.flatMap((change) => ("organization" in change ? change.organization : []));
const projects = world.flatMap((change) => ("project" in change ? change.project : []));
const users = world.flatMap((change) => ("user" in change ? change.user : []));
const administrators = world.flatMap((change) => ("administrator" in change ? change.administrator : []));
const authorizations = world.flatMap((change) => ("authorization" in change ? change.authorization : []));

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
