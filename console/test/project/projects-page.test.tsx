import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { world } from "../directory/world.ts";
import { openConsole } from "../support/console.tsx";
// Loaded before, so that no test waits for it.
import "../../src/organizations/organizations-page.tsx";
import "../../src/projects/projects-page.tsx";

it("lists projects with their owners, and how many roles and grants they have", async () => {
  openConsole("/projects", world());
  const table = await screen.findByRole("table", { name: "Projects" });
  expect(within(table).getByRole("link", { name: "Shop" }).getAttribute("href")).toBe("/project?id=p-shop");
  expect(await within(table).findByRole("link", { name: "Acme" })).toBeDefined();
  expect(within(table).getByText("3 roles")).toBeDefined();
  expect(within(table).getByText("1 organization")).toBeDefined();
});

it("lists organizations, each with a link to its page", async () => {
  openConsole("/organizations", world());
  const table = await screen.findByRole("table", { name: "Organizations" });
  expect(within(table).getByRole("link", { name: "Globex" }).getAttribute("href")).toBe("/organization?id=globex");
  expect(screen.getByText("2 organizations")).toBeDefined();
});
