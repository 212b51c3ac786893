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
  expect(within(people).getByRole("link", { name: "1 person" }).getAttribute("href")).toBe("/people?organization=acme");
});

it("adds people and projects there, for those who may", async () => {
  const page = openConsole("/organization?id=acme", askedBy(world(), "acme", "ORG_OWNER"));
  fireEvent.click(await within(await section("People")).findByRole("button", { name: "Add person" }));
  await screen.findByRole("dialog", { name: "Add a person" });
  page.unmount();
  openConsole("/organization?id=acme", askedBy(world(), "acme", "ORG_OWNER"));
  fireEvent.click(await within(await section("Projects")).findByRole("button", { name: "Add project" }));
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
  const list = await section("Projects");
  await within(list).findByRole("link", { name: "Acme" });
  const rows = within(list)
    .getAllByRole("listitem")
    .filter(({ className }) => className !== "chip");
  expect(rows.map(({ textContent }) => textContent)).toEqual(["IntranetNo roles", "Shopgranted by AcmeAuditor"]);
});

it("says what an organization doesn't have", async () => {
  const told = world();
  openConsole("/organization?id=acme", {
    ...told,
    directory: { ...told.directory, listProjects: () => ({}), listUsers: () => ({}) },
  });
  expect(await screen.findByText(/^No people yet\. People can/)).toBeDefined();
  expect(await screen.findByText(/^No projects yet\. A project has/)).toBeDefined();
});

it("says that an organization is not found, and leads to the others", async () => {
  openConsole("/organization?id=x", world());
  expect(await screen.findByRole("heading", { name: "This organization can't be found" })).toBeDefined();
  expect(screen.getByRole("link", { name: "Go to the assignments" })).toBeDefined();
});

it.each([true, false])("says that tokens may stay when an organization is removed: %s", async (tokensMayStay) => {
  const told = world();
  const directory = { ...told.directory, applyChanges: () => ({ authorizations: [], tokensMayStay }) };
  openConsole("/organization?id=acme", askedBy({ ...told, directory }, "acme", "ORG_OWNER"));
  fireEvent.click(await screen.findByRole("button", { name: "Remove" }));
  const box = within(await screen.findByRole("dialog", { name: "Remove Acme?" }));
  await box.findByText(/^Changes no assignment/);
  const words = "Tokens that were created for people of other organizations may stay valid.";
  expect(box.queryByText(words) !== null).toBe(tokensMayStay);
});
