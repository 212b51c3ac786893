import { describe, expect, test } from "vitest";
import { bodyOf, serveSmallWorld } from "../support/server.ts";

const { server, root } = await serveSmallWorld();

const overview = (request: object | string, token = root) =>
  server.callService("authorization.v2.OverviewService/GetOverview", request, { token });

const [shop, depot] = [
  { id: "shop", name: "Shop", organizationId: "acme" },
  { id: "depot", name: "Depot", organizationId: "acme" },
];

describe("GetOverview", () => {
  test("counts everything by organization, project, role, state and day, those with most first", async () => {
    expect(await bodyOf(overview({}))).toEqual({
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
    const body = await bodyOf(overview({ top: 1, days: 2 }));
    expect(body.organizations).toEqual([{ organization: { id: "acme", name: "Acme" }, count: 3 }]);
    expect(body.projects).toEqual([{ project: shop, count: 5 }]);
    expect(body.roles).toMatchObject([{ role: { key: "seller" }, count: 4 }]);
    expect(body.days.map(({ day }: { day: string }) => day)).toEqual(["2024-01-06", "2024-01-05"]);
    expect(body).toMatchObject({ totalResult: 6, inOtherOrganizations: 3, forOtherProjects: 1 });
    expect(body).toMatchObject({ ofOtherRoles: 3, onEarlierDays: 4 });
  });

  test.each([
    ["{}", { filters: [], top: 10, days: 30 }],
    ['{"top":0,"days":0,"filters":null}', { top: 10, days: 30 }],
  ])("answers %s with ten of each and thirty days", async (request, same) => {
    expect(await bodyOf(overview(request))).toEqual(await bodyOf(overview(same)));
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
});
