import { State } from "@authorization-service/client";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { ann, assignment, globex, world } from "../directory/world.ts";
import { openConsole } from "../support/console.tsx";
// Loaded before, so that no test waits for it.
import "../../src/access/your-access-page.tsx";

const at = (moment: string) => timestampFromDate(new Date(moment));

/** Asked by Ann, who administers nothing, and has these assignments. */
function askedByAnn(authorizations: ReturnType<typeof assignment>[], totalResult = authorizations.length) {
  return {
    ...world(),
    caller: { getCaller: () => ({ user: ann, permissions: [] }) },
    authorizations: { listAuthorizations: () => ({ authorizations, pagination: { totalResult } }) },
  };
}

const held = [
  assignment({ creationDate: at("2026-01-31T12:00:00Z"), changeDate: at("2026-02-01T12:00:00Z") }),
  assignment({
    id: "a-2",
    organization: globex,
    roles: [],
    state: State.INACTIVE,
    expirationDate: at("2026-03-01T12:00:00Z"),
  }),
];

it("shows someone who administers nothing what they have, where, since when, and whom to ask", async () => {
  openConsole("/", askedByAnn(held));
  const table = await screen.findByRole("table", { name: "Your access" });
  const [, first, second] = within(table).getAllByRole("row");
  expect(first?.textContent).toMatch(/Shop.*Seller.*Acme.*Jan 31, 2026.*Never/);
  expect(second?.textContent).toMatch(/Shop.*Inactive.*Globex.*Mar 1, 2026/);
  expect(
    screen.getByText("If something is missing or too much, ask an administrator of Acme or Globex."),
  ).toBeDefined();
  expect(screen.queryByRole("table", { name: "Assignments" })).toBeNull();
  const links = within(screen.getByRole("navigation", { name: "Views" })).getAllByRole("link");
  expect(links.map(({ textContent }) => textContent)).toEqual(["Your access", "History"]);
  expect(screen.queryByRole("navigation", { name: "Pages" })).toBeNull();
});

it("leads to the table if there is more than fits", async () => {
  const { router } = openConsole("/", askedByAnn(held, 60));
  (await screen.findByRole("link", { name: "Show 58 more" })).click();
  expect(await screen.findByRole("table", { name: "Assignments" })).toBeDefined();
  expect(router.state.location.search).toEqual({ filters: [{ userId: { id: "u-ann" } }] });
});

it("says whom to ask if there is nothing yet", async () => {
  openConsole("/", askedByAnn([]));
  expect(await screen.findByText("You have no roles in any project yet.")).toBeDefined();
  expect(screen.getByText("Ask an administrator of your organization for roles in a project.")).toBeDefined();
});

it("is what needs attention, the ways to the rest, and the newest assignments for everyone who administers something", async () => {
  openConsole("/", world());
  expect(await screen.findByRole("region", { name: "What needs attention" })).toBeDefined();
  const ways = within(screen.getByRole("region", { name: "Go to" })).getAllByRole("link");
  expect(ways.map((way) => way.getAttribute("href"))).toEqual([
    "/people",
    "/projects",
    "/organizations",
    "/assignments",
  ]);
  expect(await screen.findByRole("region", { name: "Newest assignments" })).toBeDefined();
  const views = within(screen.getByRole("navigation", { name: "Views" }));
  expect(views.getAllByRole("link")).toHaveLength(7);
});

it("leads old links to a list of assignments to the table", async () => {
  const { router } = openConsole("/?sort=changed", world());
  expect(await screen.findByRole("table", { name: "Assignments" })).toBeDefined();
  expect(router.state.location.href).toBe("/assignments?sort=changed");
});
