import type { GetOverviewRequest } from "@authorization-service/client";
import { State } from "@authorization-service/client";
import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { type FakeService, openConsole } from "../support/console.tsx";
// Loaded before, so that no test waits for it.
import "../../src/facets/facets.tsx";

const shop = { id: "shop", name: "Shop" };
const roles = ["auditor", "seller", "buyer"].map((key) => ({ key, displayName: key.toUpperCase() }));

function service() {
  const asked: GetOverviewRequest[] = [];
  const signals: AbortSignal[] = [];
  const told = {
    asked,
    signals,
    beforeRows: Promise.resolve(),
    beforeCounts: Promise.resolve(),
    authorizations: {
      async listAuthorizations() {
        await told.beforeRows;
        return {
          pagination: { totalResult: 1 },
          authorizations: [{ id: "1", user: { id: "ann", displayName: "Ann" } }],
        };
      },
    },
    overview: {
      async getOverview(request: GetOverviewRequest, { signal }: HandlerContext) {
        asked.push(request);
        signals.push(signal);
        await told.beforeCounts;
        return {
          totalResult: 7,
          organizations: [{ organization: { id: "acme", name: "Acme" }, count: 4 }],
          inOtherOrganizations: 3,
          projects: [{ project: shop, count: 7 }],
          roles: [{ project: shop, role: { key: "seller", displayName: "SELLER" }, count: 1_234 }],
          states: [
            { state: State.ACTIVE, count: 6 },
            { state: State.INACTIVE, count: 1 },
          ],
        };
      },
    },
    directory: { listProjects: () => ({ projects: [{ ...shop, roles, totalRoles: 3 }] }) },
  };
  return told satisfies FakeService;
}

async function open(told: FakeService = service(), address = "/assignments") {
  const page = openConsole(address, told);
  fireEvent.click(await screen.findByRole("button", { name: "Narrow down" }));
  return page;
}

const facets = () => screen.findByRole("complementary", { name: "Narrow down" });
const list = async (name: string) => within(await within(await facets()).findByRole("region", { name }));
const choose = async (from: string, name: RegExp) =>
  fireEvent.click(await (await list(from)).findByRole("button", { name }));

it("counts are requested only after the rows, with the same filters", async () => {
  const told = service();
  const rows = Promise.withResolvers<void>();
  told.beforeRows = rows.promise;
  const filters = [{ userOrganizationId: { id: "acme" } }];
  await open(told, `/assignments?filters=${encodeURIComponent(JSON.stringify(filters))}`);
  await facets();
  expect(told.asked).toEqual([]);
  rows.resolve();
  await screen.findByText("Ann");
  await waitFor(() => expect(told.asked).toHaveLength(1));
  expect(told.asked[0]?.filters).toMatchObject([{ filter: { case: "userOrganizationId", value: { id: "acme" } } }]);
});

it("counts that nobody waits for any more are cancelled, with the rows that are shown meanwhile", async () => {
  const told = service();
  told.beforeCounts = Promise.withResolvers<void>().promise;
  const { router } = await open(told);
  await waitFor(() => expect(told.signals).toHaveLength(1));
  expect(screen.getByText("Ann")).toBeDefined();
  await act(() => router.navigate({ to: "/assignments", search: { filters: [{ userId: { id: "ann" } }] } }));
  await waitFor(() => expect(told.signals[0]?.aborted).toBe(true));
});

it("another page of the same list needs no other counts", async () => {
  const told = service();
  const { router } = await open(told);
  await list("State");
  await act(() => router.navigate({ to: "/assignments", search: { page: "2", skipped: 100 } }));
  await screen.findByText("Ann");
  expect(told.asked).toHaveLength(1);
});

it("a click filters, is shown as a chip, and a second click takes it back", async () => {
  const { router } = await open();
  await choose("State", /^Active/);
  const filters = [{ state: { state: "STATE_ACTIVE" } }];
  await waitFor(() => expect(router.state.location.search).toEqual({ filters }));
  expect(await screen.findByRole("button", { name: "State is active" })).toBeDefined();
  const active = await (await list("State")).findByRole("button", { name: /^Active/, pressed: true });
  fireEvent.click(active);
  await waitFor(() => expect(router.state.location.search).toEqual({}));
});

it("picking a role picks its project, too, because a key means something only there", async () => {
  const { router } = await open();
  await choose("Role", /^SELLER Shop/);
  await waitFor(() =>
    expect(router.state.location.search).toEqual({
      filters: [{ projectId: { id: "shop" } }, { roleKeys: { keys: ["seller"] } }],
    }),
  );
});

it("without the counts, the rows are there, and the counts can be asked for again", async () => {
  const told = service();
  let isBroken = true;
  const { getOverview } = told.overview;
  const overview: FakeService["overview"] = {
    getOverview(request, context) {
      if (isBroken) throw new ConnectError("no", Code.Internal);
      return getOverview(request, context);
    },
  };
  await open({ ...told, overview });
  await screen.findByText(/counts could not be loaded/);
  expect(screen.getByText("Ann")).toBeDefined();
  isBroken = false;
  fireEvent.click(screen.getByRole("button", { name: "Count again" }));
  await list("Project");
});

it("who is seller in Shop at Acme, active only, takes five clicks, with the one that opens the counts", async () => {
  const { router } = await open();
  let clicks = 1;
  for (const [from, name] of [
    ["Project", /^Shop/],
    ["Role", /^SELLER/],
    ["Organization", /^Acme/],
    ["State", /^Active/],
  ] as const) {
    await choose(from, name);
    clicks += 1;
    await (await list(from)).findByRole("button", { name, pressed: true });
  }
  expect(clicks).toBeLessThanOrEqual(5);
  expect(router.state.location.search).toEqual({
    filters: [
      { projectId: { id: "shop" } },
      { roleKeys: { keys: ["seller"] } },
      { organizationId: { id: "acme" } },
      { state: { state: "STATE_ACTIVE" } },
    ],
  });
});

it("beside a panel, where the table needs the room, the counts are not offered", async () => {
  const told = service();
  await open(told);
  await list("State");
  fireEvent.click(screen.getByRole("button", { name: /^Ann/ }));
  await waitFor(() => expect(screen.queryByRole("button", { name: "Narrow down" })).toBeNull());
  expect(screen.queryByRole("complementary", { name: "Narrow down" })).toBeNull();
});

it("each list is one stop for Tab, and the arrow keys move within it", async () => {
  await open();
  const buttons = (await list("State")).getAllByRole("button");
  expect(buttons.map(({ tabIndex }) => tabIndex)).toEqual([0, -1]);
  act(() => buttons[0]?.focus());
  fireEvent.keyDown(buttons[0] as HTMLElement, { key: "ArrowDown" });
  await waitFor(() => expect(document.activeElement).toBe(buttons[1]));
});

it("a search ends with its box", async () => {
  const told = service();
  const counted = Array.from({ length: 11 }, (_, at) => ({
    project: { id: `p-${at}`, name: `P${at}` },
    role: { key: "auditor", displayName: "AUDITOR" },
    count: 1,
  }));
  let isFew = false;
  const getOverview = async () => ({ roles: isFew ? counted.slice(0, 2) : counted });
  const { client } = await open({ ...told, overview: { getOverview } });
  const search = (await list("Role")).getByRole("searchbox", { name: "Find a role" });
  fireEvent.change(search, { target: { value: "P7" } });
  expect((await list("Role")).getAllByRole("button")).toHaveLength(1);
  isFew = true;
  await act(() => client.refetchQueries());
  await waitFor(async () => expect((await list("Role")).getAllByRole("button")).toHaveLength(2));
});

it("two quick clicks filter by both, however long the page takes to follow", async () => {
  const { router } = await open();
  const shopOption = await (await list("Project")).findByRole("button", { name: /^Shop/ });
  const acme = await (await list("Organization")).findByRole("button", { name: /^Acme/ });
  act(() => {
    shopOption.click();
    acme.click();
  });
  await waitFor(() =>
    expect(router.state.location.search).toEqual({
      filters: [{ projectId: { id: "shop" } }, { organizationId: { id: "acme" } }],
    }),
  );
});
