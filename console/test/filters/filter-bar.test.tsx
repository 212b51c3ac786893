import {
  AuthorizationService,
  type AuthorizationsSearchFilter,
  State,
  TextFilterMethod,
} from "@authorization-service/client";
import { DirectoryService } from "@authorization-service/client/directory";
import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import { createRouterTransport } from "@connectrpc/connect";
import { TransportProvider } from "@connectrpc/connect-query";
import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { asFilter } from "../../src/filters/content.ts";
import { FilterBar, withQuickSearch } from "../../src/filters/filter-bar.tsx";
import { queryClient } from "../../src/session/queries.ts";

type Filters = readonly AuthorizationsSearchFilter[];

beforeAll(async () => {
  await Promise.all([import("../../src/filters/editor/filter-form.tsx"), import("../../src/filters/filter-words.tsx")]);
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const users = [
  { id: "ann", displayName: "Ann Keller", preferredLoginName: "ann@acme.example" },
  { id: "bob", displayName: "Bob Okafor", preferredLoginName: "bob@globex.example" },
];

const project = asFilter({ case: "projectId", value: { id: "shop" } });
const roleKey = asFilter({ case: "roleKey", value: { key: "sell", method: TextFilterMethod.CONTAINS_IGNORE_CASE } });
const active = asFilter({ case: "state", value: { state: State.ACTIVE } });

type Address = { changes: Filters[]; continued: boolean[]; replace: (filters: Filters) => void };

/** The filters are those of an address: they follow every change. */
function Page({ begun, address }: { begun: Filters; address: Address }) {
  const [filters, setFilters] = useState(begun);
  address.replace = setFilters;
  return (
    <FilterBar
      filters={filters}
      onChange={(changed, how) => {
        address.changes.push(changed);
        address.continued.push(how?.replace ?? false);
        setFilters(changed);
      }}
    />
  );
}

function show(begun: Filters) {
  const address: Address = { changes: [], continued: [], replace: () => undefined };
  const transport = createRouterTransport(({ service }) => {
    service(AuthorizationService, {
      listAuthorizations: ({ filters }) => ({
        authorizations: filters.some(({ filter }) => filter.case === "projectGrantId" && filter.value.id === "g-1")
          ? [{ id: "1", project: { id: "shop", name: "Shop" }, organization: { id: "globex", name: "Globex" } }]
          : [],
      }),
    });
    service(DirectoryService, {
      listUsers: ({ filters }) => ({
        users: users.filter((user) =>
          filters.every(({ filter }) => {
            if (filter.case === "ids") return filter.value.ids.includes(user.id);
            if (filter.case === "preferredLoginName") return user.preferredLoginName === filter.value.text;
            return filter.case === "search" && user.displayName.toLowerCase().includes(filter.value.text.toLowerCase());
          }),
        ),
      }),
      listProjects: () => ({
        projects: [
          {
            ...{ id: "shop", name: "Shop", roles: [{ key: "auditor", displayName: "Auditor" }], totalRoles: 1 },
            grants: [{ id: "g-1", organization: { id: "globex", name: "Globex" } }],
            totalGrants: 101,
          },
        ],
      }),
      listOrganizations: () => ({ organizations: [] }),
    });
  });
  render(
    <TransportProvider transport={transport}>
      <QueryClientProvider client={queryClient()}>
        <Page begun={begun} address={address} />
      </QueryClientProvider>
    </TransportProvider>,
  );
  const { changes, continued } = address;
  return { changes, continued, replace: (filters: Filters) => act(() => address.replace(filters)) };
}

const field = () => screen.getByRole<HTMLInputElement>("searchbox", { name: "Search people" });
const type = (text: string) => fireEvent.change(field(), { target: { value: text } });
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));

it("a chip shows no id while the name is asked for, and the id if there is no name", async () => {
  const texts: (string | null)[] = [];
  const watch = new MutationObserver(() => {
    for (const chip of document.querySelectorAll(".filter-chip-words")) texts.push(chip.textContent);
  });
  watch.observe(document.body, { childList: true, subtree: true, characterData: true });
  show([asFilter({ case: "userId", value: { id: "bob" } }), asFilter({ case: "userId", value: { id: "gone" } })]);
  await screen.findByRole("button", { name: "Person is Bob Okafor" });
  await screen.findByRole("button", { name: "Person is gone" });
  watch.disconnect();
  expect([...new Set(texts)].filter((text) => text?.includes("bob"))).toEqual([]);
  expect(texts).toContain("Person is …");
});

it("what is typed is looked for after a pause, once", () => {
  vi.useFakeTimers();
  const { changes } = show([project]);
  type("a");
  pass(200);
  type("an");
  pass(249);
  expect(changes).toEqual([]);
  pass(1);
  expect(changes).toEqual([withQuickSearch([project], "an")]);
  pass(1_000);
  expect(changes).toHaveLength(1);
});

it("an emptied field ends the search", () => {
  vi.useFakeTimers();
  const { changes } = show(withQuickSearch([project], "ann"));
  type("");
  pass(250);
  expect(changes).toEqual([[project]]);
});

it("a search of the address stands in the field, not as a chip, and follows the address", async () => {
  const { replace } = show([roleKey, ...withQuickSearch([], "ann")]);
  expect(field().value).toBe("ann");
  expect(await screen.findAllByRole("listitem")).toHaveLength(2);
  replace(withQuickSearch([], "bob"));
  expect(field().value).toBe("bob");
  replace([]);
  expect(field().value).toBe("");
});

it("what is typed meanwhile stays when the address follows", () => {
  vi.useFakeTimers();
  const { changes } = show([]);
  type("an");
  pass(250);
  type("ann");
  expect(field().value).toBe("ann");
  pass(250);
  expect(changes.at(-1)).toEqual(withQuickSearch([], "ann"));
});

it("going back skips what was typed, and no other filter", async () => {
  vi.useFakeTimers();
  const { continued } = show([active, roleKey]);
  type("an");
  pass(250);
  type("ann");
  pass(250);
  vi.useRealTimers();
  fireEvent.click(await screen.findByRole("button", { name: "Remove State is active" }));
  expect(continued).toEqual([false, true, false]);
});

it("a state is a chip beside the other filters, and is taken back like them", async () => {
  const { changes } = show([roleKey, active]);
  await screen.findByRole("button", { name: "State is active" });
  fireEvent.click(screen.getByRole("button", { name: "Remove State is active" }));
  expect(changes.at(-1)).toEqual([roleKey]);
});

it("chips show the names of things, and the ids of those that are unknown", async () => {
  show([project, asFilter({ case: "inUserIds", value: { ids: ["ann", "nobody"] } })]);
  expect(await screen.findByRole("button", { name: "Project is Shop" })).toBeTruthy();
  expect(await screen.findByRole("button", { name: "Person is Ann Keller or nobody" })).toBeTruthy();
});

it("a search of the address stays as it is written there, until someone types", () => {
  vi.useFakeTimers();
  const { changes } = show(withQuickSearch([], " ann "));
  expect(field().value).toBe(" ann ");
  pass(10_000);
  expect(changes).toEqual([]);

  fireEvent.change(field(), { target: { value: " ann k " } });
  pass(250);
  expect(changes).toEqual([withQuickSearch([], "ann k")]);
});

it("a chip is removed, and the focus goes to the next one, at last to adding", async () => {
  const { changes } = show([active, roleKey, asFilter({ case: "userId", value: { id: "ann" } })]);
  fireEvent.click(screen.getByRole("button", { name: "Remove Role key contains “sell”" }));
  expect(changes.at(-1)?.map(({ filter }) => filter.case)).toEqual(["state", "userId"]);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: /^Remove Person is/ })));
  fireEvent.click(screen.getByRole("button", { name: /^Remove Person is/ }));
  expect(changes.at(-1)).toEqual([active]);
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Remove State is active" })),
  );
  fireEvent.click(screen.getByRole("button", { name: "Remove State is active" }));
  expect(changes.at(-1)).toEqual([]);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "More filters" })));
});

it("all filters are removed at once", () => {
  const { changes } = show([active, roleKey, ...withQuickSearch([], "ann")]);
  fireEvent.click(screen.getByRole("button", { name: "Remove all" }));
  expect(changes).toEqual([[]]);
});

it("a chip is edited in its place", async () => {
  const { changes } = show([active, roleKey, project]);
  fireEvent.click(screen.getByRole("button", { name: "Role key contains “sell”" }));
  const dialog = await screen.findByRole("dialog", { name: "Edit filter: Role key" });
  const text = within(dialog).getByRole<HTMLInputElement>("textbox", { name: "Role key" });
  expect(text.value).toBe("sell");
  fireEvent.change(text, { target: { value: "buy" } });
  fireEvent.change(within(dialog).getByRole("combobox"), { target: { value: String(TextFilterMethod.EQUALS) } });
  fireEvent.click(within(dialog).getByRole("button", { name: "Apply" }));
  const changed = asFilter({ case: "roleKey", value: { key: "buy", method: TextFilterMethod.EQUALS } });
  expect(changes).toEqual([[active, changed, project]]);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("a new filter is refused until it is filled in, with the reason at its field", async () => {
  const { changes } = show([roleKey]);
  const dialog = await add("Created");
  fireEvent.click(within(dialog).getByRole("button", { name: "Apply" }));
  expect(await within(dialog).findByText("Enter a start, an end, or both.")).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(within(dialog).getByLabelText("From")));
  expect(changes).toEqual([]);
  fireEvent.change(within(dialog).getByLabelText("From"), { target: { value: "2026-11-01T00:00" } });
  fireEvent.click(within(dialog).getByRole("button", { name: "Apply" }));
  const from = BigInt(new Date("2026-11-01T00:00").getTime() / 1000);
  expect(changes.at(-1)?.[1]?.filter).toMatchObject({ case: "created", value: { from: { seconds: from } } });
});

it.each([
  ["Created", ["Today", "Last 7 days", "Last 30 days", "This month"]],
  ["Ends", ["Today", "Next 7 days", "Next 30 days", "Last 7 days", "Last 30 days", "This month"]],
])("%s has ranges where it mostly lies", async (kind, ranges) => {
  show([]);
  const dialog = await add(kind);
  const offered = within(within(dialog).getByRole("group", { name: "Usual ranges" })).getAllByRole("button");
  expect(offered.map(({ textContent }) => textContent)).toEqual(ranges);
});

it("what ends in 7 days is in the next 7 days", async () => {
  const { changes } = show([]);
  const dialog = await add("Ends");
  fireEvent.click(within(dialog).getByRole("button", { name: "Next 7 days" }));
  fireEvent.click(within(dialog).getByRole("button", { name: "Apply" }));
  const value = changes.at(-1)?.[0]?.filter.value as { from: Timestamp; to: Timestamp };
  expect(timestampMs(value.from)).toBeLessThanOrEqual(Date.now());
  expect(timestampMs(value.to)).toBeGreaterThan(Date.now() + 7 * 86_400_000);
});

it("a user is picked by a part of the name", async () => {
  const { changes } = show([]);
  const dialog = await add("Is this person");
  await pick(dialog, "Person", "oka", /Bob Okafor/);
  fireEvent.click(within(dialog).getByRole("button", { name: "Apply" }));
  expect(changes).toEqual([[asFilter({ case: "userId", value: { id: "bob" } })]]);
});

it("people are picked one after another, or given by their ids", async () => {
  const { changes } = show([]);
  const dialog = await add("Is any of these people");
  await pick(dialog, "People", "oka", /Bob Okafor/);
  expect(within(dialog).getByLabelText<HTMLTextAreaElement>("Person ids").value).toBe("bob");
  fireEvent.change(within(dialog).getByLabelText("Person ids"), { target: { value: "bob, ann" } });
  expect(await within(dialog).findByText("Ann Keller")).toBeTruthy();
  fireEvent.click(within(dialog).getByRole("button", { name: "Apply" }));
  expect(changes).toEqual([[asFilter({ case: "inUserIds", value: { ids: ["bob", "ann"] } })]]);
});

it("roles are picked from those of a project", async () => {
  const { changes } = show([]);
  const dialog = await add("Has any of these roles");
  fireEvent.click(within(dialog).getByRole("button", { name: "Apply" }));
  expect(changes).toEqual([]);
  await pick(dialog, "Roles of the project", "shop", /Shop/);
  fireEvent.click(within(dialog).getByRole("checkbox", { name: /Auditor/ }));
  fireEvent.click(within(dialog).getByRole("button", { name: "Apply" }));
  expect(changes).toEqual([[asFilter({ case: "roleKeys", value: { keys: ["auditor"] } })]]);
});

it("a grant is picked from those of a project, and says how many are not listed", async () => {
  const { changes } = show([asFilter({ case: "projectGrantId", value: {} })]);
  fireEvent.click(await screen.findByRole("button", { name: "Project is owned, not granted" }));
  const dialog = await screen.findByRole("dialog", { name: "Edit filter: Project" });
  const field = within(dialog).getByRole<HTMLSelectElement>("combobox", { name: "The project is" });
  expect(field.selectedOptions[0]?.textContent).toBe("owned by the organization of the assignment");
  await pick(dialog, "Grants of the project", "shop", /Shop/);
  expect(within(dialog).getByText(/^100 more are not shown/)).toBeTruthy();
  const granted = within(field).getByRole<HTMLOptionElement>("option", { name: "granted to Globex" });
  fireEvent.change(field, { target: { value: granted.value } });
  fireEvent.click(within(dialog).getByRole("button", { name: "Apply" }));
  expect(changes).toEqual([[asFilter({ case: "projectGrantId", value: { id: "g-1" } })]]);
});

it("ids are pasted as a list", async () => {
  const { changes } = show([]);
  const dialog = await add("Assignment ids");
  fireEvent.change(within(dialog).getByRole("textbox"), { target: { value: "a-1, a-2\na-3\na-1" } });
  fireEvent.click(within(dialog).getByRole("button", { name: "Apply" }));
  expect(changes).toEqual([[asFilter({ case: "authorizationIds", value: { ids: ["a-1", "a-2", "a-3"] } })]]);
});

it("groups nest as deep as the service takes, and offer no deeper ones", async () => {
  const { changes } = show([]);
  const dialog = await add("Not: the opposite of a filter");
  const kindOf = (name: string) => within(dialog).getByRole("combobox", { name: `${name}: what to filter by` });
  fireEvent.change(kindOf("Not"), { target: { value: "anyOf" } });
  fireEvent.click(within(dialog).getByRole("button", { name: "Add a filter" }));
  const offered = within(kindOf("Filter 1")).getAllByRole<HTMLOptionElement>("option");
  expect(offered.map(({ value }) => value)).not.toContain("anyOf");
  fireEvent.change(kindOf("Filter 1"), { target: { value: "state" } });
  fireEvent.click(within(dialog).getByRole("button", { name: "Apply" }));
  const anyOf = { filter: { case: "anyOf" as const, value: { filters: [active] } } };
  expect(changes).toEqual([[asFilter({ case: "not", value: anyOf })]]);
});

it("with fifty filters nothing more can be added", () => {
  show(Array(50).fill(roleKey));
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "More filters" }).disabled).toBe(true);
  expect(field().disabled).toBe(true);
});

async function add(kind: string) {
  fireEvent.click(screen.getByRole("button", { name: "More filters" }));
  const dialog = await screen.findByRole("dialog", { name: "Add filter" });
  fireEvent.click(within(dialog).getByRole("button", { name: kind }));
  return dialog;
}

async function pick(dialog: HTMLElement, label: string, text: string, name: RegExp) {
  const picker = within(dialog).getByRole("combobox", { name: label });
  fireEvent.input(picker, { target: { value: text }, inputType: "insertText" });
  const list = await screen.findByRole("listbox");
  await waitFor(() => expect(within(list).getAllByRole("option")).toHaveLength(1));
  fireEvent.click(within(list).getByRole("option", { name }));
}

it("a chip shows the names of roles and grants, and their keys and ids only if it knows no name", async () => {
  const roles = asFilter({ case: "roleKeys", value: { keys: ["auditor", "ghost"] } });
  const grant = (id: string) => asFilter({ case: "projectGrantId", value: { id } });
  const { replace } = show([project, roles, grant("g-1")]);
  await screen.findByRole("button", { name: "Role is Auditor or ghost" });
  await screen.findByRole("button", { name: "Project is granted: Shop to Globex" });
  replace([roles, grant("g-2")]);
  await screen.findByRole("button", { name: "Role is auditor or ghost" });
  await screen.findByRole("button", { name: "Project is granted: g-2" });
});
