import { GetOverviewResponseSchema } from "@authorization-service/client";
import { fromJson } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { filtersOf } from "../../console/src/assignments/search.ts";
import { withChoices } from "../../console/src/facets/choices.ts";
import * as links from "../../console/src/overview/links.ts";
import { timelineOf } from "../../console/src/overview/periods.ts";
import { mixedWorld } from "../support/mixed-world.ts";
import { bodyOf, serveTests } from "../support/server.ts";
import { authorization, role, user } from "../support/world.ts";

const server = await serveTests();
await server.database.load(
  ...mixedWorld(),
  user("counter", "acme"),
  { administrator: { userId: "counter", instance: true, roles: ["IAM_OWNER"] } },
  // The key of a role means another one in each project.
  { project: { id: "stall", organizationId: "acme", name: "Stall" } },
  role("stall", "seller"),
  authorization("stall-1", "counter", "stall", "acme", ["seller"], "2024-01-01T23:59:59.999999Z"),
);
const token = await server.database.token("counter");

/** What the table tells above its rows. */
async function listed({ filters = [] }: { filters?: unknown }): Promise<number> {
  const request = { filters, pagination: { limit: 1 } };
  return (await bodyOf(server.call("ListAuthorizations", request, { token }))).pagination.totalResult;
}

async function overviewOf(filters: unknown, top: number, days: number) {
  const path = "authorization.v2.OverviewService/GetOverview";
  return fromJson(GetOverviewResponseSchema, await bodyOf(server.callService(path, { filters, top, days }, { token })));
}

const nested = { not: { anyOf: { filters: [{ state: { state: "STATE_INACTIVE" } }, { roleKey: { key: "none" } }] } } };

test.each([
  [[], 100, 366, 62],
  [[], 2, 2, 2],
  [[{ created: { from: "2000-01-01T12:00:00Z" } }, nested], 3, 3, 5],
])(
  "every bar leads to as many rows as it counts: filters %j, top %i, %i days, %i columns",
  async (filters, top, days, most) => {
    const inForce = filtersOf({ filters });
    const overview = await overviewOf(filters, top, days);
    const ids = overview.organizations.map(({ organization }) => organization?.id ?? "");
    const projectIds = overview.projects.map(({ project }) => project?.id ?? "");
    const periods = timelineOf(overview.days, most);
    const oldest = periods[0];
    if (oldest === undefined) throw new Error("nothing was created in this world");

    const bars = [
      { count: overview.totalResult, ofBar: [] },
      ...overview.states.map(({ state, count }) => ({ count, ofBar: withChoices([], { state: String(state) }) })),
      ...overview.organizations.map(({ organization, count }) => ({
        count,
        ofBar: withChoices([], { organization: organization?.id ?? "" }),
      })),
      { count: overview.inOtherOrganizations, ofBar: links.inOtherOrganizations(inForce, ids) },
      ...overview.projects.map(({ project, count }) => ({
        count,
        ofBar: withChoices([], { project: project?.id ?? "" }),
      })),
      { count: overview.forOtherProjects, ofBar: links.forOtherProjects(projectIds) },
      ...overview.roles.map(({ project, role, count }) => ({
        count,
        ofBar: withChoices([], { project: project?.id ?? "", role: role?.key ?? "" }),
      })),
      ...periods.map((period) => ({ count: period.count, ofBar: links.created(period) })),
      { count: overview.onEarlierDays, ofBar: links.created({ to: oldest.from }) },
    ];
    const answers = [];
    for (const { ofBar } of bars) answers.push(await listed(links.tableOf(inForce, ofBar)));
    expect(answers).toEqual(bars.map(({ count }) => count));
  },
);
