import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { askedBy } from "../directory/callers.ts";
import { acme, failingOnce, globex, shop, world } from "../directory/world.ts";
import { openConsole } from "../support/console.tsx";
// Loaded before, so that no test waits for it.
import "../../src/project/project-page.tsx";

const section = (name: string) => screen.findByRole("region", { name });

it("shows the roles of a project by group, with how many hold them", async () => {
  const told = world();
  const roles = [{ role: { key: "seller" }, count: 214 }];
  openConsole("/project?id=p-shop", { ...told, overview: { getOverview: () => ({ roles }) } });
  expect(await screen.findByRole("heading", { level: 1, name: "Shop" })).toBeDefined();
  const list = await section("Roles");
  const groups = within(list).getAllByRole("heading", { level: 3 });
  expect(groups.map(({ textContent }) => textContent)).toEqual(["control", "staff", "No group"]);
  await within(list).findByText("214 assignments");
  const seller = within(list).getByRole("link", { name: "Seller" });
  expect(seller.getAttribute("href")).toBe("/role?project=p-shop&key=seller");
});

it("shows to whom a project is granted, and with which roles", async () => {
  openConsole("/project?id=p-shop", world());
  const grants = await section("Grants");
  expect(within(grants).getByRole("link", { name: "Globex" }).getAttribute("href")).toBe("/organization?id=globex");
  expect(within(grants).getByText("Auditor")).toBeDefined();
});

it("counts who holds what by organization, and leads to the table", async () => {
  const told = world();
  openConsole("/project?id=p-shop", {
    ...told,
    overview: {
      getOverview: () => ({
        totalResult: 1_300,
        organizations: [
          { organization: acme, count: 900 },
          { organization: globex, count: 399 },
        ],
        inOtherOrganizations: 1,
      }),
    },
  });
  const holders = await section("Who holds what");
  const all = await within(holders).findByRole("link", { name: "All 1,300 assignments" });
  expect(filtersOf(all)).toEqual([{ projectId: { id: "p-shop" } }]);
  const inGlobex = within(holders).getByRole("link", { name: "399 assignments in Globex" });
  expect(filtersOf(inGlobex)).toEqual([{ projectId: { id: "p-shop" } }, { organizationId: { id: "globex" } }]);
  expect(within(holders).getByText("1 assignment in other organizations")).toBeDefined();
});

function filtersOf(link: HTMLElement): unknown {
  const { searchParams } = new URL(link.getAttribute("href") ?? "", "http://console.example");
  return JSON.parse(searchParams.get("filters") ?? "");
}

it("says how many roles and grants the service does not list", async () => {
  const told = world();
  const large = { ...shop, totalRoles: 5, totalGrants: 2 };
  openConsole("/project?id=p-shop", {
    ...told,
    directory: { ...told.directory, listProjects: () => ({ projects: [large] }) },
  });
  expect(await screen.findByText("2 more roles are not listed.")).toBeDefined();
  expect(screen.getByText("1 more grant is not listed.")).toBeDefined();
});

it("says what a new project doesn't have yet", async () => {
  const told = world();
  const bare = { id: "p-shop", name: "Shop", organizationId: "acme" };
  openConsole("/project?id=p-shop", {
    ...told,
    directory: { ...told.directory, listProjects: () => ({ projects: [bare] }) },
  });
  expect(await screen.findByText(/^No roles yet\. A role is/)).toBeDefined();
  expect(screen.getByText(/^No grants yet\. A grant lets/)).toBeDefined();
  expect(await screen.findByText(/^No assignments yet\. An assignment gives/)).toBeDefined();
  // Without roles there is nothing to assign.
  expect(screen.queryByRole("link", { name: "New assignment" })).toBeNull();
});

it("leads to a new assignment in the project, for those who may assign its roles there", async () => {
  openConsole("/project?id=p-shop", askedBy(world(), "shop", "PROJECT_OWNER"));
  const link = await screen.findByRole("link", { name: "New assignment" });
  const { searchParams } = new URL((link as HTMLAnchorElement).href);
  expect(JSON.parse(searchParams.get("create") ?? "")).toEqual({ project: "p-shop", organization: "acme" });
  cleanup();
  openConsole("/project?id=p-shop", askedBy(world(), "grant", "PROJECT_GRANT_OWNER"));
  await screen.findByRole("link", { name: "Reader: your account" });
  await section("Grants");
  expect(screen.queryByRole("link", { name: "New assignment" })).toBeNull();
});

it("says that a project is not found, and leads to the others", async () => {
  const told = world();
  openConsole("/project?id=x", { ...told, directory: { ...told.directory, listProjects: () => ({}) } });
  expect(await screen.findByRole("heading", { name: "This project can't be found" })).toBeDefined();
  expect(screen.getByRole("link", { name: "Go to the assignments" })).toBeDefined();
});

it("a failure is shown, and trying again shows the project", async () => {
  const told = world();
  const listProjects = failingOnce(() => ({ projects: [shop] }));
  openConsole("/project?id=p-shop", { ...told, directory: { ...told.directory, listProjects } });
  fireEvent.click(await screen.findByRole("button", { name: "Try again" }));
  expect(await section("Grants")).toBeDefined();
});
