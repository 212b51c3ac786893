import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { askedBy } from "../directory/callers.ts";
import { shop, world } from "../directory/world.ts";
import { openConsole } from "../support/console.tsx";
// Loaded before, so that no test waits for it.
import "../../src/organization/organization-page.tsx";

const section = (name: string) => screen.findByRole("region", { name });

it("shows the people of an organization, and leads to all of them", async () => {
  openConsole("/organization?id=acme", world());
  expect(await screen.findByRole("heading", { level: 1, name: "Acme" })).toBeDefined();
  const people = await section("People");
  expect((await within(people).findByRole("link", { name: "Ann Keller" })).getAttribute("href")).toBe(
    "/person?id=u-ann",
  );
  expect(within(people).getByRole("link", { name: "All 1 person" }).getAttribute("href")).toBe(
    "/people?organization=acme",
  );
});

it("adds people and projects there, for those who may", async () => {
  const page = openConsole("/organization?id=acme", askedBy(world(), "acme", "ORG_OWNER"));
  fireEvent.click(await within(await section("People")).findByRole("button", { name: "Add person" }));
  await screen.findByRole("dialog", { name: "Add a person" });
  page.unmount();
  openConsole("/organization?id=acme", askedBy(world(), "acme", "ORG_OWNER"));
  fireEvent.click(await within(await section("Its projects")).findByRole("button", { name: "Add project" }));
  const adding = await screen.findByRole("dialog", { name: "Add a project" });
  const owner = await within(adding).findByRole<HTMLInputElement>("combobox", { name: "Organization that owns it" });
  await waitFor(() => expect(owner.value).toBe("Acme"));
});

it("tells its own projects from those granted to it, with the roles that it may assign", async () => {
  const told = world();
  const intranet = { id: "p-intranet", name: "Intranet", organizationId: "globex" };
  openConsole("/organization?id=globex", {
    ...told,
    directory: { ...told.directory, listProjects: () => ({ projects: [intranet, shop] }) },
  });
  const own = await section("Its projects");
  expect(await within(own).findByRole("link", { name: "Intranet" })).toBeDefined();
  const granted = await section("Projects granted to it");
  expect(await within(granted).findByRole("link", { name: "Acme" })).toBeDefined();
  expect(within(granted).getByText("Auditor")).toBeDefined();
  expect(within(granted).queryByText("Seller")).toBeNull();
});

it.each([
  ["acme", "ORG_OWNER", "globex", true],
  ["shop", "PROJECT_OWNER", "globex", true],
  ["instance", "IAM_OWNER", "globex", true],
  ["globex", "ORG_OWNER", "globex", false],
  ["acme", "ORG_USER_MANAGER", "globex", false],
  ["shop", "PROJECT_OWNER", "acme", false],
] as const)(
  "says where projects are granted, to those who may: of %s, %s on the page of %s: %s",
  async (scope, role, id, isSaid) => {
    openConsole(`/organization?id=${id}`, askedBy(world(), scope, role));
    const granted = within(await section("Projects granted to it"));
    await screen.findByRole("link", { name: "Reader: your account" });
    await waitFor(() => expect(granted.queryAllByText(/^To grant a project to it/)).toHaveLength(isSaid ? 1 : 0));
    if (isSaid)
      expect(granted.getByRole("link", { name: "Go to the projects" }).getAttribute("href")).toBe("/projects");
  },
);

it("says what an organization doesn't have", async () => {
  const told = world();
  openConsole("/organization?id=acme", {
    ...told,
    directory: { ...told.directory, listProjects: () => ({}), listUsers: () => ({}) },
  });
  expect(await screen.findByText(/^No people yet\. People can/)).toBeDefined();
  expect(await screen.findByText(/^No projects yet\. A project has/)).toBeDefined();
  expect(await screen.findByText("No granted projects to show.")).toBeDefined();
});

it("says that an organization is not found, and leads to the others", async () => {
  openConsole("/organization?id=x", world());
  expect(await screen.findByRole("heading", { name: "This organization can't be found" })).toBeDefined();
  expect(screen.getByRole("link", { name: "Go to the organizations" })).toBeDefined();
});
