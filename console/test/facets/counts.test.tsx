import { State } from "@authorization-service/client";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { openConsole } from "../support/console.tsx";
import { type Counted, countingService } from "./counted.ts";
// Loaded before, so that no test waits for it.
import "../../src/facets/facets.tsx";

const [shop, wiki] = ["shop", "wiki"];
const roleKeys = { shop: ["auditor", "buyer", "seller"], wiki: ["auditor", "editor"] };
/** A row for each of them, more often the further on it is, so that nearly all counts differ. */
const rows = [
  { project: shop, organization: "acme", roles: ["seller"], state: State.ACTIVE },
  { project: shop, organization: "acme", roles: ["seller", "auditor"], state: State.INACTIVE },
  { project: shop, organization: "globex", roles: ["auditor"], state: State.ACTIVE },
  { project: wiki, organization: "acme", roles: ["auditor"], state: State.INACTIVE },
  { project: wiki, organization: "globex", roles: ["editor"], state: State.ACTIVE },
  { project: wiki, organization: "globex", roles: ["auditor", "editor"], state: State.INACTIVE },
].flatMap((row, index): Counted[] => Array(2 ** index).fill(row));

const by = {
  project: { projectId: { id: shop } },
  organization: { organizationId: { id: "globex" } },
  role: { roleKeys: { keys: ["auditor"] } },
  state: { state: { state: "STATE_ACTIVE" } },
};

type Service = ReturnType<typeof countingService>;

async function open(filters: readonly object[], service: Service = countingService(rows, roleKeys)) {
  const query = filters.length === 0 ? "" : `?filters=${encodeURIComponent(JSON.stringify(filters))}`;
  const page = openConsole(`/assignments${query}`, service);
  fireEvent.click(await screen.findByRole("button", { name: "Narrow down" }));
  await isCounted();
  return { ...page, service };
}

const facets = () => screen.getByRole("complementary", { name: "Narrow down" });
const options = () => within(facets()).getAllByRole("button").filter(isOption);
const isOption = (button: HTMLElement) => button.hasAttribute("aria-pressed");
const numberOf = (option: HTMLElement) => option.querySelector(".facet-count")?.textContent;
const nameOf = (option: HTMLElement) =>
  `${option.closest("section")?.querySelector("h2")?.textContent}: ${option.firstElementChild?.textContent?.trim()}`;

/** Waits until the rows and the counts are those of the filters. */
async function isCounted() {
  await screen.findByRole("complementary", { name: "Narrow down" });
  await waitFor(() => {
    expect(facets().getAttribute("aria-busy")).toBe("false");
    expect(facets().querySelector("[data-outdated]")).toBeNull();
    expect(options()).not.toEqual([]);
    expect(total()).toBeDefined();
  });
}

/** How many rows the table says there are. */
function total(): string | undefined {
  const text = screen.getByRole("navigation", { name: "Pages" }).firstElementChild?.textContent ?? "";
  return /^No /.test(text) ? "0" : /([\d,]+) assignments?$/.exec(text)?.[1];
}

it.each([
  ["nothing", []],
  ["a state", [by.state]],
  ["an organization", [by.organization]],
  ["a project", [by.project]],
  ["a project and its role", [by.project, by.role]],
  ["a role of any project", [by.role]],
  ["one of each", [by.state, by.project, by.organization, by.role]],
])("with %s chosen, the number beside each value is how many rows the click leads to", async (_, filters) => {
  const { router } = await open(filters);
  const start = router.state.location.href;
  const names = options().map(nameOf);
  expect(names.length).toBeGreaterThan(5);
  for (const name of names) {
    const option = options().find((one) => nameOf(one) === name) as HTMLElement;
    const said = numberOf(option);
    // Of what is chosen, it is how many rows there are now.
    const isChosen = option.getAttribute("aria-pressed") === "true";
    if (isChosen) expect(said, name).toBe(total());
    fireEvent.click(option);
    await waitFor(() => expect(router.state.location.href).not.toBe(start));
    await isCounted();
    if (!isChosen) expect(total(), name).toBe(said);
    await act(() => router.navigate({ href: start }));
    await isCounted();
  }
});

it.each([
  [[], 1],
  [[by.state], 2],
  [[by.project], 2],
  [[by.project, by.role], 3],
  [[by.state, by.organization], 3],
  [[by.state, by.project, by.organization, by.role], 4],
])("facets without a choice share a request: %j need %i", async (filters, requests) => {
  const { service } = await open(filters);
  expect(service.asked).toHaveLength(requests);
});

it("a choice requests no counts of its own facet, because they stay the same", async () => {
  const { service } = await open([]);
  fireEvent.click(options().find((option) => nameOf(option) === "State: Active") as HTMLElement);
  await isCounted();
  await waitFor(() => expect(service.asked).toHaveLength(2));
  expect(service.asked[1]?.filters).toMatchObject([{ filter: { case: "state" } }]);
});

it("what is chosen is offered with its name, also when others have more", async () => {
  const many = Array.from({ length: 102 }, (_, index): Counted[] =>
    Array(index === 101 ? 1 : 2).fill({ ...rows[0], organization: `o-${String(index).padStart(3, "0")}` }),
  ).flat();
  const { router } = await open([{ organizationId: { id: "o-101" } }], countingService(many, roleKeys));
  const organizations = () => options().filter((option) => nameOf(option).startsWith("Organization: "));
  const chosen = organizations().filter((option) => option.getAttribute("aria-pressed") === "true");
  await waitFor(() => expect(chosen.map(nameOf)).toEqual(["Organization: O-101"]));
  expect(chosen.map(numberOf)).toEqual(["1"]);
  expect(within(facets()).getByText("For others, see More filters")).toBeDefined();
  fireEvent.click(chosen[0] as HTMLElement);
  await waitFor(() => expect(router.state.location.search).toEqual({}));
  expect(await within(facets()).findByText("For others, see More filters")).toBeDefined();
});

it("of more than ten, all are a click away, and a search finds those that are counted", async () => {
  const many = Array.from(
    { length: 12 },
    (_, index): Counted => ({
      ...(rows[0] as Counted),
      organization: `o-${String(index).padStart(3, "0")}`,
    }),
  );
  await open([], countingService(many, roleKeys));
  const organizations = () => options().filter((option) => nameOf(option).startsWith("Organization: "));
  expect(organizations()).toHaveLength(10);
  fireEvent.click(within(facets()).getByRole("button", { name: "Show all 12" }));
  expect(organizations()).toHaveLength(12);
  fireEvent.change(within(facets()).getByRole("searchbox", { name: "Find an organization" }), {
    target: { value: "11" },
  });
  expect(organizations().map(nameOf)).toEqual(["Organization: O-011"]);
});

it("counts of other filters are hidden until the new ones are there", async () => {
  const service = countingService(rows, roleKeys);
  await open([], service);
  const { promise, resolve } = Promise.withResolvers<void>();
  service.delays.push(promise);
  fireEvent.click(options().find((option) => nameOf(option) === "State: Active") as HTMLElement);
  const outdated = () => [...facets().querySelectorAll("[data-outdated] h2")].map(({ textContent }) => textContent);
  await waitFor(() => expect(outdated()).toEqual(["Project", "Organization", "Role"]));
  resolve();
  await isCounted();
});

it("are renewed with the rows when the person refreshes", async () => {
  const stored = [...rows];
  await open([], countingService(stored, roleKeys));
  const active = () => options().find((option) => nameOf(option) === "State: Active");
  const before = Number(numberOf(active() as HTMLElement));
  stored.push({ project: wiki, organization: "acme", roles: ["editor"], state: State.ACTIVE });
  fireEvent.click(screen.getByRole("button", { name: "Refresh" }));
  await waitFor(() => expect(numberOf(active() as HTMLElement)).toBe(String(before + 1)));
  expect(total()).toBe(String(stored.length));
});
