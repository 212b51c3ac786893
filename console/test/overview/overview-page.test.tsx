import {
  type GetOverviewRequest,
  GetOverviewResponseSchema,
  OverviewService,
  State,
} from "@authorization-service/client";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, createRouterTransport } from "@connectrpc/connect";
import { TransportProvider } from "@connectrpc/connect-query";
import { QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { OverviewPage } from "../../src/overview/overview-page.tsx";
import { readOverviewSearch } from "../../src/overview/search.ts";
import { queryClient } from "../../src/session/queries.ts";

afterEach(cleanup);

const shop = { id: "shop", name: "Shop", organizationId: "acme" };
const overview: MessageInitShape<typeof GetOverviewResponseSchema> = {
  totalResult: 10_000,
  organizations: [
    { organization: { id: "acme", name: "Acme" }, count: 3021 },
    { organization: { id: "o-1", name: "" }, count: 1 },
  ],
  inOtherOrganizations: 6978,
  projects: [{ project: shop, count: 1364 }],
  forOtherProjects: 8636,
  roles: [{ project: shop, role: { key: "seller", displayName: "Seller", group: "" }, count: 626 }],
  ofOtherRoles: 15_115,
  states: [
    { state: State.ACTIVE, count: 10_000 },
    { state: State.INACTIVE, count: 0 },
  ],
  days: [
    { day: "2026-01-03", count: 4 },
    { day: "2026-01-01", count: 1 },
  ],
  onEarlierDays: 9995,
};

/** The page at an address, on a service that answers as it is told; what it was asked is kept. */
function show(address: string, answer: () => MessageInitShape<typeof GetOverviewResponseSchema> = () => overview) {
  const asked: GetOverviewRequest[] = [];
  const transport = createRouterTransport(({ rpc }) =>
    rpc(OverviewService.method.getOverview, (request) => {
      asked.push(request);
      return create(GetOverviewResponseSchema, answer());
    }),
  );
  const root = createRootRoute();
  const route = createRoute({
    getParentRoute: () => root,
    path: "/overview",
    validateSearch: readOverviewSearch,
    component: OverviewPage,
  });
  const table = createRoute({ getParentRoute: () => root, path: "/assignments" });
  const history = createMemoryHistory({ initialEntries: [address] });
  const router = createRouter({ routeTree: root.addChildren([route, table]), history });
  render(
    <TransportProvider transport={transport}>
      <QueryClientProvider client={queryClient()}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </TransportProvider>,
  );
  return { asked, history };
}

const filters = [{ userId: { id: "ann" } }];
const withFilters = `/overview?filters=${encodeURIComponent(JSON.stringify(filters))}`;
const filtersOfLink = (link: HTMLElement) =>
  JSON.parse(new URL((link as HTMLAnchorElement).href).searchParams.get("filters") ?? "[]");

it.each([
  ["10,000 assignments", []],
  ["Acme: 3,021 assignments, 30.2%", [{ organizationId: { id: "acme" } }]],
  ["o-1: 1 assignment, <0.1%", [{ organizationId: { id: "o-1" } }]],
  ["Shop: 1,364 assignments, 13.6%", [{ projectId: { id: "shop" } }]],
  ["Seller in Shop: 626 assignments, 6.3%", [{ projectId: { id: "shop" } }, { roleKeys: { keys: ["seller"] } }]],
  ["Inactive: 0 assignments, 0.0%", [{ state: { state: "STATE_INACTIVE" } }]],
  ["Jan 1, 2026: 1 assignment, <0.1%", [{ created: { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" } }]],
  ["Jan 2, 2026: 0 assignments, 0.0%", [{ created: { from: "2026-01-02T00:00:00Z", to: "2026-01-03T00:00:00Z" } }]],
  ["9,995 assignments created before", [{ created: { to: "2026-01-01T00:00:00Z" } }]],
  ["8,636 assignments for other projects", [{ not: { projectIds: { ids: ["shop"] } } }]],
])("the link %j leads to the table with the filters in force and its own", async (name, own) => {
  show(withFilters);
  const link = await screen.findByRole("link", { name });
  expect(new URL((link as HTMLAnchorElement).href).pathname).toBe("/assignments");
  expect(filtersOfLink(link)).toEqual([...filters, ...own]);
});

it("roles that are not named are a number and no link: it counts how often they are held", async () => {
  show("/overview");
  expect(await screen.findByText("Other roles are held 15,115 times")).toBeDefined();
  expect(screen.queryByRole("link", { name: /Other roles/ })).toBeNull();
});

it("nothing is said of others when all are named", async () => {
  show("/overview", () => ({
    ...overview,
    inOtherOrganizations: 0,
    forOtherProjects: 0,
    ofOtherRoles: 0,
    onEarlierDays: 0,
  }));
  await screen.findByRole("link", { name: /^Acme/ });
  expect(screen.queryByText(/other (organizations|projects)|other roles|created before/i)).toBeNull();
});

it("says why no day is shown when the newest one has too many assignments", async () => {
  show("/overview", () => ({ ...overview, days: [], onEarlierDays: 200_000, newestDayExceedsLimit: true }));
  await screen.findByText(/^More than 100,000 assignments were created on the newest day/);
  expect(screen.queryByText(/created before/)).toBeNull();
});

it("the service is asked for what the address says, and for thirty days without", async () => {
  const first = show("/overview");
  await waitFor(() => expect(first.asked).toMatchObject([{ top: 25, days: 30, filters: [] }]));
  const { asked } = show(`${withFilters}&days=366`);
  await waitFor(() => expect(asked).toMatchObject([{ top: 25, days: 366 }]));
  expect(asked[0]?.filters[0]?.filter).toMatchObject({ case: "userId", value: { id: "ann" } });
});

it("choosing how many days keeps the choice in the address, and the filters", async () => {
  const { history } = show(withFilters);
  fireEvent.change(await screen.findByLabelText("Newest"), { target: { value: "90" } });
  await waitFor(() => expect(history.location.search).toContain("days=90"));
  expect(history.location.search).toContain("filters=");
});

it("what an address cannot choose is left out", () => {
  expect(readOverviewSearch({ days: "90" })).toEqual({});
  expect(readOverviewSearch({ days: 30 })).toEqual({});
  expect(readOverviewSearch({ days: 366 })).toEqual({ days: 366 });
});

it("without any assignment it says so, and offers to remove the filters there are", async () => {
  const nothing = () => ({ states: [] });
  show("/overview", nothing);
  await screen.findByRole("heading", { name: "You see no assignments yet" });
  cleanup();
  show(withFilters, nothing);
  await screen.findByRole("heading", { name: "Nothing matches this search" });
  const link = screen.getByRole("link", { name: "Show all" });
  expect(new URL((link as HTMLAnchorElement).href).search).toBe("");
});

it("a failure says what to do, and trying again shows the counts", async () => {
  let fails = true;
  show("/overview", () => {
    if (fails) throw new ConnectError("boom", Code.Internal);
    return overview;
  });
  await screen.findByRole("heading", { name: "Something went wrong in the service" });
  fails = false;
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByRole("link", { name: /^Acme/ });
});

it("a server that cannot be reached while it is refreshed leaves the counts, marked as the last ones", async () => {
  let fails = false;
  show("/overview", () => {
    if (fails) throw new ConnectError("away", Code.Unavailable);
    return overview;
  });
  await screen.findByRole("link", { name: /^Acme/ });
  fails = true;
  fireEvent.click(screen.getByRole("button", { name: "Refresh" }));
  await screen.findByText(/This is its last answer/);
  expect(screen.getByRole("link", { name: /^Acme/ })).toBeDefined();
});

it("filters that cannot be read are told of, and nothing is counted", async () => {
  const { asked } = show(`/overview?filters=${encodeURIComponent('[{"user":"ann"}]')}`);
  await screen.findByRole("heading", { name: "The filters in this link can't be read" });
  expect(asked).toEqual([]);
});

it("bars are as long as their share of all assignments, in every chart but that of the days, newest first", async () => {
  show("/overview");
  const bars = await screen.findAllByRole("link", { name: /: [\d,]+ assignments?, / });
  const lengths = bars.flatMap((bar) => {
    const length = bar.querySelector<HTMLElement>(".bar-length")?.style.inlineSize;
    return length === undefined ? [] : [`${bar.querySelector("bdi")?.textContent} ${length}`];
  });
  expect(lengths).toEqual([
    "Active max(1px, 100%)",
    "Inactive 0",
    "Acme max(1px, 30.21%)",
    "o-1 max(1px, 0.01%)",
    "Shop max(1px, 13.64%)",
    "Seller max(1px, 6.26%)",
    // The longest of the days has the full width: they are small parts of all.
    "Jan 3, 2026 max(1px, 100%)",
    "Jan 2, 2026 0",
    "Jan 1, 2026 max(1px, 25%)",
  ]);
});
