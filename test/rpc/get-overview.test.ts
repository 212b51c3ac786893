import { describe, expect, test } from "vitest";
import { administrator } from "../support/assign.ts";
import { serveTests } from "../support/server.ts";
import { authorization, loadSmallWorld } from "../support/world.ts";

const server = await serveTests({ smallWorld: true });
const root = await server.database.token("root");

const overview = (request: object | string, token = root) =>
  server.callService("authorization.v2.OverviewService/GetOverview", request, { token });
const bodyOf = async (request: object | string, token = root) => {
  const answer = await overview(request, token);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
};

const [shop, depot] = [
  { id: "shop", name: "Shop", organizationId: "acme" },
  { id: "depot", name: "Depot", organizationId: "acme" },
];
const nothing = {
  totalResult: 0,
  organizations: [],
  inOtherOrganizations: 0,
  projects: [],
  forOtherProjects: 0,
  roles: [],
  ofOtherRoles: 0,
  states: [
    { state: "STATE_ACTIVE", count: 0 },
    { state: "STATE_INACTIVE", count: 0 },
  ],
  days: [],
  onEarlierDays: 0,
  endingIn7Days: 0,
  endingIn30Days: 0,
  newestDayExceedsLimit: false,
};

describe("GetOverview", () => {
  test("counts everything by organization, project, role, state and day, those with most first", async () => {
    expect(await bodyOf({})).toEqual({
      totalResult: 6,
      organizations: [
        { organization: { id: "acme", name: "Acme" }, count: 3 },
        { organization: { id: "globex", name: "Globex" }, count: 2 },
        { organization: { id: "initech", name: "Initech" }, count: 1 },
      ],
      inOtherOrganizations: 0,
      projects: [
        { project: shop, count: 5 },
        { project: depot, count: 1 },
      ],
      forOtherProjects: 0,
      roles: [
        { project: shop, role: { key: "seller", displayName: "Seller", group: "staff" }, count: 4 },
        { project: shop, role: { key: "auditor", displayName: "Auditor", group: "control" }, count: 2 },
        { project: shop, role: { key: "owner", displayName: "Owner", group: "" }, count: 1 },
      ],
      ofOtherRoles: 0,
      states: [
        { state: "STATE_ACTIVE", count: 5 },
        { state: "STATE_INACTIVE", count: 1 },
      ],
      days: ["06", "05", "04", "03", "02", "01"].map((day) => ({ day: `2024-01-${day}`, count: 1 })),
      onEarlierDays: 0,
      endingIn7Days: 0,
      endingIn30Days: 0,
      newestDayExceedsLimit: false,
    });
  });

  test("names as many as are asked for and counts the others", async () => {
    const body = await bodyOf({ top: 1, days: 2 });
    expect(body.organizations).toEqual([{ organization: { id: "acme", name: "Acme" }, count: 3 }]);
    expect(body.projects).toEqual([{ project: shop, count: 5 }]);
    expect(body.roles).toMatchObject([{ role: { key: "seller" }, count: 4 }]);
    expect(body.days.map(({ day }: { day: string }) => day)).toEqual(["2024-01-06", "2024-01-05"]);
    expect(body).toMatchObject({ totalResult: 6, inOtherOrganizations: 3, forOtherProjects: 1 });
    expect(body).toMatchObject({ ofOtherRoles: 3, onEarlierDays: 4 });
  });

  test("of as many, names the one with the lower id, and of the same project the lower key, first", async () => {
    const filters = [{ authorizationIds: { ids: ["a1", "a4", "a6"] } }];
    const body = await bodyOf({ filters });
    expect(body.organizations.map(({ organization }: any) => organization.id)).toEqual(["acme", "globex", "initech"]);
    expect(body.roles.map(({ role }: any) => role.key)).toEqual(["seller", "auditor", "owner"]);
    expect((await bodyOf({ filters, top: 1 })).organizations).toMatchObject([{ organization: { id: "acme" } }]);
  });

  test.each([
    ["{}", { filters: [], top: 10, days: 30 }],
    ['{"top":0,"days":0,"filters":null}', { top: 10, days: 30 }],
  ])("answers %s with ten of each and thirty days", async (request, same) => {
    expect(await bodyOf(request)).toEqual(await bodyOf(same));
  });

  test.each([
    [{ top: 101 }, "top"],
    [{ days: 367 }, "days"],
    [{ top: -1 }, "top"],
    [{ filters: [{}] }, "filter"],
    [{ pagination: {} }, "pagination"],
  ])("refuses %j, naming what is wrong", async (request, field) => {
    const { status, body } = await overview(request);
    expect({ status, code: body.code }).toEqual({ status: 400, code: "invalid_argument" });
    expect(body.message).toContain(field);
  });

  test("counts nothing when nothing matches", async () => {
    expect(await bodyOf({ filters: [{ userId: { id: "no such user" } }] })).toEqual(nothing);
    expect(await bodyOf({ filters: [{ organizationId: { id: "" } }] })).toEqual(nothing);
    expect(await bodyOf({ filters: [{ organizationId: { id: "no such organization" } }] })).toEqual(nothing);
    const two = [{ projectId: { id: "shop" } }, { projectId: { id: "depot" } }];
    expect(await bodyOf({ filters: two })).toEqual(nothing);
  });

  test("filters as a list does", async () => {
    const filters = [{ state: { state: "STATE_ACTIVE" } }, { projectId: { id: "shop" } }];
    const body = await bodyOf({ filters });
    expect(body).toMatchObject({ totalResult: 4, projects: [{ project: shop, count: 4 }] });
    expect(body.states).toEqual([
      { state: "STATE_ACTIVE", count: 4 },
      { state: "STATE_INACTIVE", count: 0 },
    ]);
    const globex = await bodyOf({ filters: [{ organizationId: { id: "globex" } }] });
    expect(globex).toMatchObject({ totalResult: 2, organizations: [{ organization: { id: "globex" }, count: 2 }] });
    expect(globex.roles.map(({ role, count }: any) => [role.key, count])).toEqual([
      ["seller", 2],
      ["auditor", 1],
    ]);
    const shops = await bodyOf({ filters: [{ projectId: { id: "shop" } }] });
    expect(shops).toMatchObject({ totalResult: 5, projects: [{ project: shop, count: 5 }] });
    expect(shops.organizations.map(({ count }: any) => count)).toEqual([2, 2, 1]);
  });
});

describe("An overview counts what the caller sees and nothing else", () => {
  const counts = async (token: string, request: object = {}) => {
    const { totalResult, organizations, projects, roles, ofOtherRoles, days } = await bodyOf(request, token);
    const held = roles.reduce((sum: number, { count }: { count: number }) => sum + count, ofOtherRoles);
    return [totalResult, organizations.length, projects.length, held, days.length];
  };

  test("its own authorizations, wherever they are", async () => {
    expect(await counts(await server.database.token("bob"))).toEqual([2, 2, 1, 3, 2]);
    expect(await bodyOf({}, await server.database.token("nobody"))).toEqual(nothing);
  });

  test("what is in its organizations", async () => {
    const token = await administrator(server.database, { organizationId: "acme", roles: ["ORG_OWNER_VIEWER"] });
    expect(await counts(token)).toEqual([3, 1, 2, 3, 3]);
    // Its projects are not what is made of them elsewhere.
    expect(await counts(token, { filters: [{ projectId: { id: "shop" } }] })).toEqual([2, 1, 1, 3, 2]);
    expect(await counts(token, { filters: [{ organizationId: { id: "globex" } }] })).toEqual([0, 0, 0, 0, 0]);
  });

  test("what the owner assigns in its project, and what hangs on its grant", async () => {
    const project = await administrator(server.database, { projectId: "shop", roles: ["PROJECT_OWNER_VIEWER"] });
    expect(await counts(project)).toEqual([2, 1, 1, 3, 2]);
    const entry = { projectGrantId: "shop-to-globex", roles: ["PROJECT_GRANT_OWNER"] };
    expect(await counts(await administrator(server.database, entry))).toEqual([2, 1, 1, 3, 2]);
  });

  test("each authorization once, also when it is its own and in several of its scopes", async () => {
    await server.database.load(
      { administrator: { userId: "ann", organizationId: "acme", roles: ["ORG_OWNER"] } },
      { administrator: { userId: "ann", projectId: "shop", roles: ["PROJECT_OWNER"] } },
      { administrator: { userId: "bob", projectGrantId: "shop-to-initech", roles: ["PROJECT_GRANT_OWNER"] } },
    );
    expect(await counts(await server.database.token("ann"))).toEqual([3, 1, 2, 3, 3]);
    expect(await counts(await server.database.token("bob"))).toEqual([2, 2, 1, 3, 2]);
  });

  test("by the names they have now", async () => {
    const token = await administrator(server.database, { organizationId: "initech", roles: ["ORG_OWNER"] });
    await server.database.load(
      { organization: { id: "initech", name: "Initech Reborn" } },
      { project: { id: "shop", organizationId: "acme", name: "Shop 2" } },
      { projectRole: { projectId: "shop", key: "seller", displayName: "Vendor", group: "sales" } },
    );
    expect(await bodyOf({}, token)).toMatchObject({
      organizations: [{ organization: { id: "initech", name: "Initech Reborn" } }],
      projects: [{ project: { id: "shop", name: "Shop 2", organizationId: "acme" } }],
      roles: [{ project: { name: "Shop 2" }, role: { key: "seller", displayName: "Vendor", group: "sales" } }],
    });
    await loadSmallWorld(server.database);
  });

  test("by the day in UTC on which they were created, from the first to the last there is", async () => {
    await server.database.load(
      authorization("first", "cid", "shop", "initech", [], "0001-01-01T00:00:00Z"),
      authorization("last", "nobody", "shop", "initech", [], "9999-12-30T23:59:59.999999Z"),
    );
    const { days } = await bodyOf({ filters: [{ organizationId: { id: "initech" } }] });
    expect(days.map(({ day }: { day: string }) => day)).toEqual(["9999-12-30", "2024-01-06", "0001-01-01"]);
    await server.database.load({ remove: { authorizationId: "first" } }, { remove: { authorizationId: "last" } });
    expect((await bodyOf({ filters: [{ organizationId: { id: "initech" } }] })).days).toHaveLength(1);
  });
});
