import type { ListUsersRequest } from "@authorization-service/client/directory";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { ann, failingOnce, world } from "../directory/world.ts";
import { openConsole } from "../support/console.tsx";
// Loaded before, so that no test waits for it.
import "../../src/people/people-page.tsx";

const people = () => screen.findByRole("table", { name: "People" });

it("lists people with their organizations, each with a link to everything about them", async () => {
  openConsole("/people", world());
  const table = await people();
  const name = within(table).getByRole("link", { name: "Ann Keller" });
  expect(name.getAttribute("href")).toBe("/person?id=u-ann");
  expect(within(table).getByText("ann@acme.example")).toBeDefined();
  const organization = await within(table).findByRole("link", { name: "Acme" });
  expect(organization.getAttribute("href")).toBe("/organization?id=acme");
  expect(document.title).toBe("People · Authorizations");
});

it("an organization that the reader may not know is another organization, without its id", async () => {
  const told = world();
  const stranger = { ...ann, organizationId: "o-secret" };
  openConsole("/people", { ...told, directory: { ...told.directory, listUsers: () => ({ users: [stranger] }) } });
  const table = await people();
  expect(await within(table).findByText("another organization")).toBeDefined();
  expect(table.textContent).not.toContain("o-secret");
});

it("searches for people with all words of a text, in any order, and the address says so", async () => {
  const told = world();
  const asked: ListUsersRequest[] = [];
  const { router } = openConsole("/people?organization=acme", {
    ...told,
    directory: {
      ...told.directory,
      listUsers: (request) => {
        asked.push(request);
        return { users: [ann] };
      },
    },
  });
  await people();
  fireEvent.change(screen.getByRole("searchbox", { name: "Search by name" }), { target: { value: "keller  ann " } });
  await waitFor(() => expect(router.state.location.search).toEqual({ organization: "acme", name: "keller  ann" }));
  await waitFor(() => expect(asked).toHaveLength(2));
  const filters = asked[1]?.filters.map(({ filter }) => filter);
  expect(filters).toMatchObject([
    { case: "organizationId", value: { id: "acme" } },
    { case: "search", value: { text: "keller  ann" } },
  ]);
});

it("says that no one matches, and shows all again", async () => {
  const told = world();
  const { router } = openConsole("/people?name=nobody", {
    ...told,
    directory: { ...told.directory, listUsers: () => ({ users: [] }) },
  });
  expect(await screen.findByRole("heading", { name: "Nothing matches this search" })).toBeDefined();
  fireEvent.click(screen.getByRole("link", { name: "Show all" }));
  await waitFor(() => expect(router.state.location.search).toEqual({}));
  expect(await screen.findByRole("heading", { name: "You see no people yet" })).toBeDefined();
  expect(screen.getByRole<HTMLInputElement>("searchbox").value).toBe("");
});

it("a page that is no more leads back to the first one", async () => {
  const told = world();
  const { router } = openConsole("/people?name=ann&page=token&skipped=50", {
    ...told,
    directory: { ...told.directory, listUsers: () => ({ users: [] }) },
  });
  fireEvent.click(await screen.findByRole("link", { name: "Go to the first page" }));
  await waitFor(() => expect(router.state.location.search).toEqual({ name: "ann" }));
});

it("a failure is shown, and trying again lists the people", async () => {
  const told = world();
  openConsole("/people", {
    ...told,
    directory: { ...told.directory, listUsers: failingOnce(() => ({ users: [ann] })) },
  });
  await screen.findByRole("alert");
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(within(await people()).getByText("Ann Keller")).toBeDefined();
});
