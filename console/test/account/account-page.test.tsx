import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { askedBy } from "../directory/callers.ts";
import { acme, ann, globex, shop, world } from "../directory/world.ts";
import { openConsole } from "../support/console.tsx";
// Loaded before, so that no test waits for it.
import "../../src/account/account-page.tsx";

const { id, name, organizationId } = shop;
const project = { id, name, organizationId };

it("says who one is, what one may do, and why", async () => {
  const sources = [
    { scope: { scope: { case: "organization" as const, value: acme } }, roles: ["ORG_OWNER", "ORG_USER_MANAGER"] },
    { scope: { scope: { case: "project" as const, value: project } }, roles: ["PROJECT_OWNER"] },
    {
      scope: { scope: { case: "projectGrant" as const, value: { id: "g-1", project, organization: globex } } },
      roles: ["PROJECT_GRANT_OWNER"],
    },
  ];
  openConsole("/account", {
    ...world(),
    caller: { getCaller: () => ({ user: ann, permissions: [{ permission: "user.grant.read", sources }] }) },
  });
  const table = await screen.findByRole("table", { name: "What you may do, and why" });
  expect(within(table).getByRole("rowheader").textContent).toBe("See assignments");
  expect(
    within(table)
      .getAllByRole("listitem")
      .map(({ textContent }) => textContent),
  ).toEqual(["Owner, Manager of people of Acme", "Owner of Shop", "Owner of Shop as granted to Globex"]);
  const everything = screen.getByRole("link", { name: "Everything you hold and administer" });
  expect(everything.getAttribute("href")).toBe("/person?id=u-ann");
});

it("names ten of a thousand administrator entries, and how many more there are", async () => {
  const sources = Array.from({ length: 1_000 }, (_, index) => ({
    scope: { scope: { case: "organization" as const, value: { id: `o-${index}`, name: `Company ${index}` } } },
    roles: ["ORG_OWNER"],
  }));
  openConsole("/account", {
    ...world(),
    caller: { getCaller: () => ({ user: ann, permissions: [{ permission: "org.write", sources }] }) },
  });
  const table = await screen.findByRole("table", { name: "What you may do, and why" });
  expect(within(table).getAllByRole("listitem")).toHaveLength(11);
  expect(within(table).getByText("and 990 more")).toBeDefined();
});

it.each([
  ["instance", "IAM_OWNER", "Add, rename, and remove organizations", "Rename and remove organizations"],
  ["acme", "ORG_OWNER", "Rename and remove organizations", "Add, rename, and remove organizations"],
  ["acme", "ORG_OWNER", "Add, rename, and remove projects", "Rename and remove projects"],
  ["shop", "PROJECT_OWNER", "Rename and remove projects", "Add, rename, and remove projects"],
  ["acme", "ORG_OWNER", "Add, change, move, and remove people", "Add and change people"],
  ["instance", "IAM_LOGIN_CLIENT", "Add and change people", "Add, change, move, and remove people"],
] as const)("says what the role allows there: of %s, %s: %s", async (scope, role, allowed, other) => {
  openConsole("/account", askedBy(world(), scope, role));
  const table = within(await screen.findByRole("table", { name: "What you may do, and why" }));
  expect(table.getByRole("rowheader", { name: allowed })).toBeDefined();
  expect(table.queryByRole("rowheader", { name: other })).toBeNull();
});

it("says that one administers nothing", async () => {
  openConsole("/account", { ...world(), caller: { getCaller: () => ({ user: ann, permissions: [] }) } });
  expect(await screen.findByText("You have no administrator roles. You see your own assignments.")).toBeDefined();
});
