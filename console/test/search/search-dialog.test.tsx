import type { ListUsersRequest } from "@authorization-service/client/directory";
import { Code, ConnectError } from "@connectrpc/connect";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { callerWith } from "../directory/callers.ts";
import { type FakeService, openConsole } from "../support/console.tsx";
// Loaded before, so that no test waits for it.
import "../../src/search/search-dialog.tsx";

const people = [
  { id: "ann", displayName: "Ann Keller", preferredLoginName: "ann.keller@acme.example", organizationId: "acme" },
  { id: "ben", displayName: "Ben Keller", preferredLoginName: "ben.keller@acme.example", organizationId: "acme" },
];
const projects = [
  {
    id: "shop",
    name: "Shop",
    assignableIn: { id: "acme", name: "Acme" },
    roles: [
      { key: "auditor", displayName: "Auditor" },
      { key: "seller", displayName: "Seller" },
    ],
  },
  { id: "wiki", name: "Wiki", roles: [{ key: "audit-reader", displayName: "Reader of audits" }] },
];

type Named = { readonly case?: string | undefined; readonly value?: unknown };

/** Answers look-ups as the service does: all filters must match. */
function matches({ case: kind, value }: Named, one: { id: string; name: string; login?: string }): boolean {
  const { ids = [], text = "" } = value as { ids?: string[]; text?: string };
  if (kind === "ids") return ids.includes(one.id);
  if (kind === "preferredLoginName") return one.login === text;
  const words = (of: string) => of.toLowerCase().split(/[^a-z0-9]+/);
  const inNames = words(`${one.name} ${one.login ?? ""}`);
  return words(text).every((start) => inNames.some((word) => word.startsWith(start)));
}

function service(more: FakeService["directory"] = {}) {
  const asked: ListUsersRequest[] = [];
  const directory: FakeService["directory"] = {
    listUsers(request) {
      asked.push(request);
      const named = (one: (typeof people)[number]) => ({
        ...one,
        name: one.displayName,
        login: one.preferredLoginName,
      });
      return { users: people.filter((one) => request.filters.every(({ filter }) => matches(filter, named(one)))) };
    },
    listProjects: ({ filters }) => ({
      projects: projects.filter((one) => filters.every(({ filter }) => matches(filter, one))),
    }),
    listOrganizations: ({ filters }) => ({
      organizations: [{ id: "acme", name: "Acme" }].filter((one) =>
        filters.every(({ filter }) => matches(filter, one)),
      ),
    }),
    ...more,
  };
  const listAuthorizations: NonNullable<FakeService["authorizations"]>["listAuthorizations"] = ({ filters }) => {
    const [first] = filters;
    const isFound = first?.filter.case === "authorizationIds" && first.filter.value.ids.includes("a-1");
    const one = {
      id: "a-1",
      user: people[0],
      project: { id: "shop", name: "Shop" },
      organization: { id: "acme", name: "Acme" },
    };
    return { pagination: {}, authorizations: isFound ? [one] : [] };
  };
  const caller = { getCaller: () => callerWith("instance", "IAM_OWNER") };
  return { asked, caller, directory, authorizations: { listAuthorizations } };
}

async function search(text: string, told: FakeService = service()) {
  const page = openConsole("/assignments", told);
  await screen.findByRole("button", { name: /^Search/ });
  fireEvent.keyDown(document.body, { key: "k", ctrlKey: true });
  const field = await screen.findByRole("combobox", { name: /^Search people/ });
  fireEvent.input(field, { target: { value: text }, inputType: "insertText" });
  return { ...page, field };
}

const picked = '{"user":"ann","project":"shop","organization":"acme","role":"auditor"}';
const toGive = `/assignments?create=${encodeURIComponent(picked)}`;
const found = () => screen.findByText(/^Searched|Searched people/);
const hits = () => screen.queryAllByRole("option").map(({ textContent }) => textContent);

it("people are found by words in any order, in one search", async () => {
  const { asked } = service();
  const told = { ...service(), asked };
  const { router } = await search("keller ann", told);
  fireEvent.click(await screen.findByRole("option", { name: /Ann Keller.*· ann/ }));
  expect(screen.queryByRole("option", { name: /Ben Keller/ })).toBeNull();
  await waitFor(() => expect(router.state.location.href).toBe("/person?id=ann"));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("people are shown with their login name, organization and id", async () => {
  await search("keller");
  await screen.findByRole("option", { name: /Ann Keller/ });
  await waitFor(() =>
    expect(hits().map((text) => text?.replace(/^.*Keller/, ""))).toEqual([
      "ann.keller@acme.example · Acme · ann",
      "ben.keller@acme.example · Acme · ben",
    ]),
  );
});

it("Enter, pressed before the results are there, leads to the first of them", async () => {
  const { router, field } = await search("keller ann");
  fireEvent.keyDown(field, { key: "Enter" });
  await waitFor(() => expect(router.state.location.href).toBe("/person?id=ann"));
});

it("Enter waits for the results of what was typed last, also after an arrow key", async () => {
  const { router, field } = await search("keller");
  await screen.findByRole("option", { name: /Ben Keller/ });
  fireEvent.keyDown(field, { key: "ArrowDown" });
  fireEvent.input(field, { target: { value: "ann" }, inputType: "insertText" });
  fireEvent.keyDown(field, { key: "Enter" });
  await waitFor(() => expect(router.state.location.href).toBe("/person?id=ann"));
});

it.each([
  ["Shop", "Shop", "/project?id=shop"],
  ["acme", /^Acme/, "/organization?id=acme"],
  ["auditor shop", "Auditorin Shop", "/role?project=shop&key=auditor"],
  ["a-1", "Assignment of Ann KellerShop in Acme", "/assignments?id=a-1"],
  ["ann.keller@acme.example", /^.*Ann Keller/, "/person?id=ann"],
  ["administrators", "AdministratorsPage", "/administrators"],
  ["matrix of shop", "Matrix of Shop", "/matrix?project=shop"],
  ["give the same as ann", "Give the same as Ann Keller", "/compare?from=ann"],
  ["compare ann with ben", "Compare Ann Keller with Ben Keller", "/compare?from=ann&to=ben"],
  ["add person", "Add personAction", "/people?open=true"],
  ["add project", "Add projectAction", "/projects?open=true"],
  ["add organization", "Add organizationAction", "/organizations?open=true"],
  ["the auditor role", "Auditorin Shop", "/role?project=shop&key=auditor"],
  ["changes by ann keller", "All changes by Ann Keller", "/history?actor=ann"],
  ["keller ann", "All changes by Ann Keller", "/history?actor=ann"],
  ["audit log", "HistoryPage", "/history"],
  ["import", "Add people from a listAction", "/add-people"],
  ["deactivate", "AssignmentsPage", "/assignments"],
  ["give ann keller the role auditor in shop", "Give Ann Keller the role Auditor", toGive],
  ["give ann keller auditor in shop", "Give Ann Keller the role Auditor", toGive],
  ["make ann keller an auditor in shop", "Give Ann Keller the role Auditor", toGive],
  ["add ann to shop as auditor", "Give Ann Keller the role Auditor", toGive],
])("“%s” leads to %s", async (text, name, address) => {
  const { router } = await search(text);
  await found();
  const option = screen.getAllByRole("option").find(({ textContent }) => textContent?.match(name));
  fireEvent.click(option as HTMLElement);
  await waitFor(() => expect(router.state.location.href).toBe(address));
});

it("pages and actions are found, too, and offered before anything is typed", async () => {
  const { router, field } = await search("");
  await waitFor(() => expect(hits()).toContain("OverviewPage"));
  expect(hits()).toContain("New assignmentAction");
  fireEvent.input(field, { target: { value: "hist" }, inputType: "insertText" });
  fireEvent.click(await screen.findByRole("option", { name: /^History/ }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/history"));
});

it("who administers nothing is offered only what the menu has", async () => {
  await search("", { ...service(), caller: { getCaller: () => callerWith("instance") } });
  await screen.findByText("Type words in any order, such as “keller ann” or “auditor shop”.");
  expect(hits().join()).toBe("Your accessPage,HistoryPage,Your accountPage,Create a tokenAction,Sign outAction");
});

it("who has exactly this name comes first", async () => {
  const again = { ...people[0], id: "again", displayName: "Ann Again" };
  await search("ann keller", service({ listUsers: () => ({ users: [again as (typeof people)[number], ...people] }) }));
  await waitFor(() => expect(hits()[0]).toContain("Ann Keller"));
});

it("the focus goes to the view if the search leads somewhere, and back if it doesn't", async () => {
  await search("keller");
  fireEvent.keyDown(document.activeElement as Element, { key: "Escape" });
  const button = screen.getByRole("button", { name: /^Search/ });
  for (const key of ["Escape", "Enter"]) {
    act(() => button.focus());
    fireEvent.click(button);
    const field = await screen.findByRole("combobox", { name: /^Search people/ });
    fireEvent.input(field, { target: { value: "ann" }, inputType: "insertText" });
    fireEvent.keyDown(field, { key });
    await waitFor(() =>
      expect(document.activeElement).toBe(key === "Enter" ? document.getElementById("view") : button),
    );
  }
});

it("it says what was searched", async () => {
  await search("keller");
  expect((await found()).textContent).toContain(
    "Searched people, projects, organizations, roles, assignment ids, and pages and actions.",
  );
});

it("it says of how many projects the roles were searched, if there are more", async () => {
  const listProjects = () => ({ projects, pagination: { nextPageToken: "more" } });
  await search("auditor", service({ listProjects }));
  expect((await found()).textContent).toContain("Roles: only those of the first 2 projects.");
});

it("nothing found suggests where else to look", async () => {
  const { router } = await search("nobody here");
  const dialog = await screen.findByRole("dialog");
  await within(dialog).findByText(/^Nothing found for “nobody here”/);
  expect(within(dialog).getByText(/Try fewer words/)).toBeDefined();
  fireEvent.click(within(dialog).getByRole("button", { name: "Open the history" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/history"));
});

it("what could not be searched is named, and the rest is shown", async () => {
  const listOrganizations = () => {
    throw new ConnectError("no", Code.Internal);
  };
  await search("keller", service({ listOrganizations }));
  expect((await screen.findByRole("alert")).textContent).toBe("Could not search organizations.");
  expect(await screen.findByRole("option", { name: /Ann Keller/ })).toBeDefined();
});

it("the dialog is closed by Escape, also with a text in it", async () => {
  const { field } = await search("keller");
  fireEvent.keyDown(field, { key: "Escape" });
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});
